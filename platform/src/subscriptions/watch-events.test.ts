import { describe, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { z } from 'zod';
import { newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { aboutChannel, event, publish } from '../work/events.ts';
import { watchEvents, watchWorkspaceEvents } from './watch-events.ts';

const noted = event('test.noted', z.object({ memberId: z.uuid(), by: z.string() }));

const { services, newContext } = useServices();

/** Contexts of a workspace, its sandbox and a foreign workspace, which all have a member with the same id. */
function neighbours() {
  const caller = callerOf();
  const { workspaceId } = caller as { workspaceId: string };
  return {
    memberId: newId(services.clock),
    own: contextOf(services, caller),
    sandbox: newContext({ workspaceId, mode: 'TEST' }),
    foreign: newContext(),
  };
}

const publishNote = (ctx: Context, memberId: string, by: string) =>
  ctx.transaction((tx) => publish(tx, noted, { memberId, by }));

/** Inserts an event without a live event and returns its id. */
async function write({ scope }: Context, memberId: string, by: string): Promise<string> {
  const id = newId(services.clock);
  await services.database.sql.query(
    `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6)`,
    [id, scope.workspaceId, scope.mode, noted.type, JSON.stringify({ memberId, by }), services.clock.now()],
  );
  return id;
}

/** Number of look-ups of events by id since the statements were last cleared. */
const lookUps = () =>
  services.statements.filter((text) => /FROM platform\.outbox .*id = \$3/s.test(text)).length;

async function nextOf(watched: ReturnType<typeof watchEvents>): Promise<unknown> {
  const { value } = await watched.next();
  return (value?.payload as { by: string } | undefined)?.by;
}

describe('each guard by itself keeps the events of another tenant away:', () => {
  test.each(['sandbox', 'foreign'] as const)('the channel, from those of the %s', async (other) => {
    const { memberId, own, ...others } = neighbours();
    const watched = watchEvents(own, 'member', memberId);
    services.statements.length = 0;
    await publishNote(others[other], memberId, other);
    await publishNote(own, memberId, 'own');
    expect(await nextOf(watched)).toBe('own');
    // The event on the other channel was not even looked up.
    expect(lookUps()).toBe(1);
    await watched.return!();
  });

  test.each(['sandbox', 'foreign'] as const)(
    'the look-up, from an event of the %s on its channel',
    async (other) => {
      const { memberId, own, ...others } = neighbours();
      const watched = watchEvents(own, 'member', memberId);
      const stray = await write(others[other], memberId, other);
      await services.live.publish(aboutChannel(own.scope, 'member', memberId), stray);
      await publishNote(own, memberId, 'own');
      expect(await nextOf(watched)).toBe('own');
      await watched.return!();
    },
  );

  test.each(['sandbox', 'foreign'] as const)('what is remembered of look-ups, from the %s', async (other) => {
    const { memberId, own, ...others } = neighbours();
    const owner = watchEvents(others[other], 'member', memberId);
    const id = await write(others[other], memberId, other);
    await services.live.publish(aboutChannel(others[other].scope, 'member', memberId), id);
    expect(await nextOf(owner)).toBe(other);
    const watched = watchEvents(own, 'member', memberId);
    await services.live.publish(aboutChannel(own.scope, 'member', memberId), id);
    await publishNote(own, memberId, 'own');
    expect(await nextOf(watched)).toBe('own');
    await Promise.all([owner.return!(), watched.return!()]);
  });

  test.each(['sandbox', 'foreign'] as const)(
    'the reading after an interruption, from the %s',
    async (other) => {
      const { memberId, own, ...others } = neighbours();
      const watched = watchEvents(own, 'member', memberId);
      await write(others[other], memberId, other);
      await write(own, memberId, 'own');
      services.statements.length = 0;
      await interrupt();
      expect(await nextOf(watched)).toBe('own');
      // Events of another tenant were not among the ids that were read again.
      expect(lookUps()).toBe(1);
      await watched.return!();
    },
  );
});

test('a subscription that goes on after an interruption begins with what was missed', async () => {
  const { memberId, own } = neighbours();
  const caller = own.caller;
  await write(own, memberId, 'before');
  services.clock.advance(10_000);
  await write(own, memberId, 'missed');
  services.clock.advance(1_000);
  const resumed = createContext(services, { caller, requestId: 'r', missedMs: 5_000 });
  const watched = watchEvents(resumed, 'member', memberId);
  expect(await nextOf(watched)).toBe('missed');
  await publishNote(own, memberId, 'new');
  expect(await nextOf(watched)).toBe('new');
  await watched.return!();
});

test('who watches a workspace gets events about all things, and what was missed', async () => {
  const { memberId, own } = neighbours();
  await write(own, memberId, 'before');
  services.clock.advance(10_000);
  await write(own, memberId, 'missed');
  services.clock.advance(1_000);
  const resumed = createContext(services, { caller: own.caller, requestId: 'r', missedMs: 5_000 });
  const watched = watchWorkspaceEvents(resumed);
  expect(await nextOf(watched)).toBe('missed');
  await publishNote(neighbours().own, memberId, 'of another workspace');
  await publishNote(own, newId(services.clock), 'of another member');
  expect(await nextOf(watched)).toBe('of another member');
  await watched.return!();
});

test('an event is read once, and those about another thing are not', async () => {
  const { memberId, own } = neighbours();
  const watched = watchEvents(own, 'member', memberId);
  await publishNote(own, newId(services.clock), 'another member');
  const id = await write(own, memberId, 'first');
  const channel = aboutChannel(own.scope, 'member', memberId);
  for (let time = 0; time < 3; time += 1) await services.live.publish(channel, id);
  expect(await nextOf(watched)).toBe('first');
  await services.live.publish(channel, id);
  await publishNote(own, memberId, 'second');
  expect(await nextOf(watched)).toBe('second');
  await watched.return!();
});

/** Interrupts the connection of live events and waits until it is restored. */
async function interrupt(): Promise<void> {
  let gaps = 0;
  const off = services.live.onGap(() => {
    gaps += 1;
  });
  await services.database.outsideTransaction.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'loyalty-live' AND datname = current_database()`,
  );
  await eventually(() => expect(gaps).toBe(1));
  off();
}
