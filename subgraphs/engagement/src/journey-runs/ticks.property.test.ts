import { expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import type { JourneyDefinition, JourneyNode } from '../journeys/journey-definition.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { interpreter, type Traveller } from './interpreter.fixture.ts';
import {
  givenJourney,
  graphOfNodes,
  handleEvents,
  memberEvent,
  moveAll,
  movingContext,
  nodeCountsOf,
  runsOf,
} from './runs.fixture.ts';
import { claimRuns } from './runs.store.ts';

const { services, newContext } = useServices();

const MEMBERS = 6;
const TYPES = ['a', 'b', 'goal', 'exit'] as const;
const RICH = { field: 'points_balance', operator: 'at_least', value: 50 };

/** A node from random numbers. Only delays lead back, so that time passes in every cycle. */
function nodeOf(place: number, size: number, templateId: string, random: readonly number[]): JourneyNode {
  const [kind = 0, one = 0, two = 0, hours = 0] = random;
  const id = `n${place}`;
  const forward = (value: number) =>
    place + 1 < size && value % 4 > 0 ? `n${place + 1 + (value % (size - place - 1))}` : null;
  const [next, otherwise] = [forward(one), forward(two)];
  switch (kind % 7) {
    case 0:
      return { id, type: 'delay', hours: 1 + (hours % 4), next: one % 3 === 0 ? `n${two % size}` : next };
    case 1: {
      const event = { type: TYPES[one % 2]!, ...(two % 2 === 0 && { where: { x: [1, 2] } }) };
      return { id, type: 'waitForEvent', event, timeout: { hours: 1 + (hours % 5) }, next, otherwise };
    }
    case 2:
      return { id, type: 'condition', condition: RICH, next, otherwise };
    case 3: {
      const branches = [next, otherwise].map((to, index) => ({
        key: `k${index}`,
        weight: 1 + index,
        next: to,
      }));
      return { id, type: 'split', branches };
    }
    case 4:
      return { id, type: 'email', templateId, next };
    case 5:
      return { id, type: 'webhook', name: 'step', next };
    default:
      return { id, type: 'exit' };
  }
}

const act = fc.oneof(
  fc.record({ kind: fc.constant('TIME' as const), hours: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constant('EVENT' as const),
    type: fc.constantFrom('member.created', 'member.created', ...TYPES),
    member: fc.nat(MEMBERS - 1),
    x: fc.integer({ min: 1, max: 3 }),
  }),
);
const story = fc.record({
  numbers: fc.array(fc.array(fc.nat(1_000), { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 7 }),
  acts: fc.array(act, { minLength: 8, maxLength: 25 }),
  /** Numbers of the transactions that are killed. */
  kills: fc.array(fc.nat(120), { maxLength: 20 }),
});

/** Services whose database connection is lost at the end of some transactions. */
function losing(kills: readonly number[]): Services {
  let number = 0;
  const wanted = new Set(kills);
  const { database } = services;
  return {
    ...services,
    database: {
      ...database,
      transaction: (work, signal) =>
        database.transaction(async (tx) => {
          const done = await work(tx);
          number += 1;
          if (wanted.has(number)) throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
          return done;
        }, signal),
    },
  };
}

/** Repeats killed work, as workers do, after releasing the claims of the killed worker. */
async function insisting(ctx: Context, work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    if (attempt % 3 === 1) await claimRuns(movingContext(services), 3);
    await ctx.sql.query(
      'UPDATE engagement.journey_runs SET leased_until = NULL WHERE workspace_id = $1 AND leased_until IS NOT NULL',
      [ctx.scope.workspaceId],
    );
    try {
      return await work();
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
    }
  }
  throw new Error('There is no end to it.');
}

test('members go the way that a plain interpreter goes, whatever happens and is killed', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ numbers, acts, kills }) => {
      const ctx = newContext();
      const templateId = await givenTemplate(ctx);
      const nodes = numbers.map((random, place) => nodeOf(place, numbers.length, templateId, random));
      const definition: JourneyDefinition = graphOfNodes(nodes, {
        goal: { event: { type: 'goal' } },
        exit: [{ event: { type: 'exit', where: { x: 1 } } }],
      });
      const id = await givenJourney(ctx, definition);
      const members = Array.from({ length: MEMBERS }, (_, place) =>
        traveller(newId(ctx.clock), place % 2 === 0),
      );
      await givenProfiles(
        ctx,
        members.map(({ memberId, fields }) => ({ memberId, pointsBalance: fields.has('rich') ? 50 : 0 })),
      );
      const model = interpreter(id, definition, ({ fields }) => fields.has('rich'));
      const unsafe = losing(kills);
      for (const each of acts) {
        if (each.kind === 'TIME') {
          services.clock.advance(each.hours * HOUR_MS);
          await insisting(ctx, () => moveAll(unsafe));
          model.pass(members, services.clock.now().getTime());
        } else {
          const member = members[each.member]!;
          const event = memberEvent(ctx, each.type, member.memberId, { x: each.x });
          await insisting(ctx, () => handleEvents(unsafe, [event]));
          model.hear(member, event as never, services.clock.now().getTime());
        }
      }
      await expectSame(ctx, id, { members, model });
    }),
    { numRuns: 40 },
  );
});

const traveller = (memberId: string, isRich: boolean): Traveller => ({
  memberId,
  fields: new Set(isRich ? ['rich'] : []),
  isInside: false,
  status: '',
  nodeId: '',
  dueMs: 0,
  arrivedMs: 0,
  sent: new Set(),
});

async function expectSame(
  ctx: Context,
  journeyId: string,
  {
    members,
    model,
  }: { readonly members: readonly Traveller[]; readonly model: ReturnType<typeof interpreter> },
): Promise<void> {
  expect(await nodeCountsOf(ctx, journeyId)).toEqual(model.counts);
  const last = new Map((await runsOf(ctx, journeyId)).map((run) => [run.memberId, run]));
  const places = members
    .filter(({ status }) => status !== '')
    .map(({ memberId, status, nodeId }) => ({ memberId, status, nodeId }));
  expect(
    [...last.values()]
      .map(({ memberId, status, nodeId }) => ({ memberId, status, nodeId }))
      .toSorted(byMember),
  ).toEqual(places.toSorted(byMember));
  const mails = await ctx.sql.query<{ effect: string }>(
    `SELECT 'mail ' || node_id || ' ' || member_id AS effect FROM engagement.messages WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  const steps = (await publishedEvents(ctx, 'journey.step_reached')) as {
    nodeId: string;
    memberId: string;
  }[];
  const effects = [
    ...mails.map(({ effect }) => effect),
    ...steps.map(({ nodeId, memberId }) => `webhook ${nodeId} ${memberId}`),
  ];
  expect(effects.toSorted()).toEqual(model.effects.toSorted());
}

const byMember = (a: { memberId: string }, b: { memberId: string }) => (a.memberId < b.memberId ? -1 : 1);
