import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import {
  addEmailProvider,
  listEmailProviders,
  removeEmailProvider,
  reorderEmailProviders,
  updateEmailProvider,
} from './email-providers.service.ts';
import { listMailboxMessages } from './mailbox.service.ts';
import { type FakeProvider, fakeProvider, mailOf, reaching } from './providers.fixture.ts';
import { type Handover, handOver, type OutgoingMail, providersFor } from './send-mail.service.ts';

const { services } = useServices();

let first: FakeProvider;
let second: FakeProvider;
let reachable: ReturnType<typeof reaching<typeof services>>;
const timeouts: number[] = [];
let ctx: Context;
beforeAll(async () => {
  [first, second] = [await fakeProvider(), await fakeProvider()];
  reachable = reaching(services, [first, second], timeouts, 200);
});
afterAll(async () => {
  await reachable.close();
  await first.close();
  await second.close();
});
beforeEach(() => {
  for (const fake of [first, second]) {
    fake.behaviour = 200;
    fake.received.length = 0;
  }
  ctx = contextOf(reachable, callerOf());
});

/** The context of another batch of the same workspace. */
const nextBatch = () => contextOf(reachable, ctx.caller);

const add = async (fake: FakeProvider, name: string) =>
  (
    await addEmailProvider(ctx, {
      name,
      kind: 'CUSTOM_REST',
      fromAddress: 'shop@example.org',
      config: { endpoint: fake.url },
      secret: { apiKey: 'secret-key' },
    })
  ).id;

/** Sends a message and returns the logged attempts. */
async function send(through: Context, skip?: ReadonlySet<string>, mail: OutgoingMail = mailOf()) {
  const begun: (string | null)[] = [];
  const attempts: Handover[] = [];
  const last = await handOver(through, mail, {
    started: async ({ id }) => begun.push(id),
    ended: async (number, handover) => {
      expect(number).toBe(begun.length);
      attempts.push(handover);
    },
    ...(skip && { skip }),
  });
  expect(attempts.at(-1)).toEqual(last);
  expect(attempts.map(({ providerId }) => providerId)).toEqual(begun);
  return attempts;
}

const outcomes = (attempts: readonly Handover[]) => attempts.map(({ outcome }) => outcome);
const healthOf = async (id: string) => {
  const found = (await listEmailProviders(nextBatch())).find((provider) => provider.id === id)!;
  const { failures, pausedUntil, lastSuccessAt, lastError } = found;
  return { failures, pausedUntil, lastSuccessAt, lastError };
};

describe('a message', () => {
  test('goes to the first provider, and nobody else gets it', async () => {
    const id = await add(first, 'one');
    await add(second, 'two');
    expect(await send(nextBatch())).toMatchObject([
      { providerId: id, providerKind: 'CUSTOM_REST', outcome: 'ACCEPTED', isIdempotent: false, error: null },
    ]);
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
  });

  test.each([401, 403, 429, 500, 503, 400, 422, 'drops', 'hangs', 'trickles'] as const)(
    'that a provider answers with %s goes to the next within one attempt',
    async (behaviour) => {
      await add(first, 'one');
      const id = await add(second, 'two');
      first.behaviour = behaviour;
      const attempts = await send(nextBatch());
      expect(attempts).toHaveLength(2);
      expect(attempts[1]).toMatchObject({ providerId: id, outcome: 'ACCEPTED' });
      expect([first.received.length, second.received.length]).toEqual([1, 1]);
    },
  );

  test('waits ten seconds for a provider', async () => {
    await add(first, 'one');
    timeouts.length = 0;
    await send(nextBatch());
    expect(timeouts).toEqual([10_000]);
  });

  test('goes to the platform when every provider fails, and shows there as it would arrive', async () => {
    await add(first, 'one');
    await add(second, 'two');
    first.behaviour = 500;
    second.behaviour = 403;
    const attempts = await send(nextBatch());
    expect(outcomes(attempts)).toEqual(['UNAVAILABLE', 'CREDENTIALS', 'ACCEPTED']);
    expect(attempts[2]).toMatchObject({ providerId: null, providerKind: 'PLATFORM', isIdempotent: true });
    const { rows } = await listMailboxMessages(nextBatch(), {});
    expect(rows).toMatchObject([{ to: 'ada@example.com', subject: 'Grüße', html: '<p>Hello Ada</p>' }]);
  });

  test('passes over providers that are disabled or to be skipped, in the order that was set', async () => {
    const one = await add(first, 'one');
    const two = await add(second, 'two');
    await reorderEmailProviders(ctx, [two, one]);
    expect((await send(nextBatch()))[0]?.providerId).toBe(two);
    expect((await send(nextBatch(), new Set([two])))[0]?.providerId).toBe(one);
    await updateEmailProvider(ctx, two, { isEnabled: false });
    expect((await send(nextBatch()))[0]?.providerId).toBe(one);
    await removeEmailProvider(ctx, one);
    expect((await send(nextBatch()))[0]?.providerId).toBe(null);
  });

  test('passes over a provider whose configuration cannot be read', async () => {
    const id = await add(first, 'one');
    await ctx.sql.query(
      `UPDATE engagement.email_providers SET secret_sealed = '\\x00' WHERE workspace_id = $1 AND id = $2`,
      [ctx.scope.workspaceId, id],
    );
    expect(await send(nextBatch())).toMatchObject([{ providerKind: 'PLATFORM', outcome: 'ACCEPTED' }]);
    expect(first.received).toEqual([]);
  });

  test('of test mode reaches no provider', async () => {
    await add(first, 'one');
    const testMode = contextOf(reachable, { ...ctx.caller, mode: 'TEST' });
    expect(await send(testMode)).toMatchObject([{ providerKind: 'PLATFORM' }]);
    expect(first.received).toEqual([]);
  });

  test('of another workspace reaches none of these providers', async () => {
    await add(first, 'one');
    expect(await send(contextOf(reachable, callerOf()))).toMatchObject([{ providerKind: 'PLATFORM' }]);
    expect(first.received).toEqual([]);
  });

  test('is not sent where its attempt cannot be noted', async () => {
    await add(first, 'one');
    const log = { started: () => Promise.reject(new Error('claim lost')), ended: async () => {} };
    await expect(handOver(nextBatch(), mailOf(), log)).rejects.toThrow('claim lost');
    expect(first.received).toEqual([]);
  });
});

describe('a provider that fails', () => {
  test('five times in succession is paused for a minute; one trial of all processes ends the pause', async () => {
    const id = await add(first, 'one');
    first.behaviour = 503;
    for (let time = 0; time < 5; time += 1)
      expect(outcomes(await send(nextBatch()))).toEqual(['UNAVAILABLE', 'ACCEPTED']);
    expect(await healthOf(id)).toMatchObject({ failures: 5, lastError: expect.stringContaining('503') });
    expect(outcomes(await send(nextBatch()))).toEqual(['ACCEPTED']);
    services.clock.advance(59_000);
    expect(outcomes(await send(nextBatch()))).toEqual(['ACCEPTED']);
    expect(first.received).toHaveLength(5);

    services.clock.advance(1_000);
    first.behaviour = 200;
    const batches = Array.from({ length: 8 }, nextBatch);
    await Promise.all(batches.map(providersFor));
    const all = await Promise.all(batches.map((batch, at) => send(batch, undefined, mailOf(nth(at)))));
    expect(all.filter(([attempt]) => attempt?.providerId === id)).toHaveLength(1);
    expect(first.received).toHaveLength(6);
    expect(await healthOf(id)).toMatchObject({ failures: 0, pausedUntil: null });
    expect((await send(nextBatch()))[0]?.providerId).toBe(id);
  });

  test('in its trial is paused again', async () => {
    const id = await add(first, 'one');
    first.behaviour = 'drops';
    for (let time = 0; time < 5; time += 1) await send(nextBatch());
    services.clock.advance(60_000);
    expect(outcomes(await send(nextBatch()))).toEqual(['UNAVAILABLE', 'ACCEPTED']);
    expect(outcomes(await send(nextBatch()))).toEqual(['ACCEPTED']);
    expect(await healthOf(id)).toMatchObject({ failures: 6 });
  });

  test('within a batch is skipped by the rest of the batch', async () => {
    await add(first, 'one');
    first.behaviour = 500;
    const batch = nextBatch();
    for (let at = 0; at < 20; at += 1) await send(batch, undefined, mailOf(nth(at)));
    expect(first.received).toHaveLength(5);
  });

  test('now and then is never paused, and refused messages are no failures', async () => {
    const id = await add(first, 'one');
    for (let time = 0; time < 4; time += 1) {
      first.behaviour = 500;
      for (let failure = 0; failure < 4; failure += 1) await send(nextBatch());
      first.behaviour = time % 2 ? 200 : 422;
      await send(nextBatch());
      expect((await healthOf(id)).failures).toBe(0);
    }
    first.behaviour = 422;
    for (let time = 0; time < 6; time += 1)
      expect(outcomes(await send(nextBatch()))).toEqual(['REJECTED', 'ACCEPTED']);
    expect(await healthOf(id)).toMatchObject({ failures: 0, pausedUntil: null });
  });
});

const nth = (at: number) => ({ messageId: `0195a0de-0000-7000-8000-${String(at).padStart(12, '0')}` });

test('a hundred messages of a batch read the providers once and write their health once', async () => {
  const id = await add(first, 'one');
  const batch = nextBatch();
  services.statements.length = 0;
  for (let at = 0; at < 100; at += 1) await send(batch, undefined, mailOf(nth(at)));
  expect(services.statements).toHaveLength(2);
  expect((await healthOf(id)).lastSuccessAt).toEqual(services.clock.now());
  services.clock.advance(30_000);
  services.statements.length = 0;
  await send(nextBatch());
  expect(services.statements).toHaveLength(1);
  services.clock.advance(30_000);
  await send(nextBatch());
  expect((await healthOf(id)).lastSuccessAt).toEqual(services.clock.now());
});

test('a change of another process holds for the next batch', async () => {
  const id = await add(first, 'one');
  await send(nextBatch());
  await updateEmailProvider(contextOf(services, ctx.caller), id, { isEnabled: false });
  expect(await send(nextBatch())).toMatchObject([{ providerKind: 'PLATFORM' }]);
});
