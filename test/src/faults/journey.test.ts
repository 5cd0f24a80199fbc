import { expect, test } from '@jest/globals';
import { pauseJourney } from '@loyalty/engagement-subgraph/journey-runs/journey-status.service';
import {
  enter,
  givenJourney,
  graphOfNodes,
  nodeCountsOf,
  runsOf,
} from '@loyalty/engagement-subgraph/journey-runs/runs.fixture';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import { givenTemplate } from '@loyalty/engagement-subgraph/messages/messages.fixture';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { publishedEvents } from '../harness/published-events.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { killed, useWorkers } from './bulk-workers.fixture.ts';

const MEMBERS = 1_500;
const KILLS = 2;

const used = useServices({ at: new Date().toISOString() });
const { services, newContext } = used;
const { worker, keep } = useWorkers(used);

/** Makes a journey with an action of each kind, and lets members enter it; returns its id. */
async function givenMembersInJourney(ctx: Context): Promise<string> {
  const fresh = () => contextOf(services, ctx.caller);
  const templateId = await givenTemplate(fresh());
  const emails = Array.from({ length: MEMBERS }, (_, place) => `m${place}@example.com`);
  const memberIds = await enrolMembers(fresh(), emails);
  const id = await givenJourney(
    fresh(),
    graphOfNodes(
      [
        { id: 'mail', type: 'email', templateId, next: 'points' },
        { id: 'points', type: 'awardPoints', amount: 7, description: 'thanks', next: 'tag' },
        { id: 'tag', type: 'addTag', tag: 'thanked', next: 'hook' },
        { id: 'hook', type: 'webhook', name: 'thanked', next: 'end' },
        { id: 'end', type: 'exit' },
      ],
      // Enrolment is an event, too. The journey must not start on it, because the members enter by hand.
      { entry: { event: { type: 'member.inactive' } } },
    ),
  );
  await enter(fresh(), id, memberIds);
  return id;
}

/**
 * Ends all leases, as a minute would. It also resets the counts of claims, so that no run is given up because
 * of the kills.
 */
const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    'UPDATE engagement.journey_runs SET leased_until = NULL, claims = 0 WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );

const endedRuns = async (ctx: Context, id: string): Promise<number> =>
  (await runsOf(ctx, id)).filter(({ status }) => status === 'COMPLETED').length;

async function expectEachOnce(ctx: Context, id: string): Promise<void> {
  const each = ['mail', 'points', 'tag', 'hook', 'end'].flatMap((node) => [
    [`${node} ENTERED`, MEMBERS],
    [`${node} DONE`, MEMBERS],
  ]);
  expect(await nodeCountsOf(ctx, id)).toEqual(Object.fromEntries([...each, ['end COMPLETED', MEMBERS]]));
  const [row] = await ctx.sql.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM engagement.messages WHERE workspace_id = $1) AS messages,
            (SELECT count(*)::int FROM loyalty.members
              WHERE workspace_id = $1 AND points_balance = 7) AS awarded,
            (SELECT count(*)::int FROM loyalty.points_entries WHERE workspace_id = $1) AS entries,
            (SELECT count(*)::int FROM loyalty.member_tags WHERE workspace_id = $1) AS tagged`,
    [ctx.scope.workspaceId],
  );
  expect(row).toEqual({ messages: MEMBERS, awarded: MEMBERS, entries: MEMBERS, tagged: MEMBERS });
  expect(await publishedEvents(ctx, 'journey.step_reached')).toHaveLength(MEMBERS);
}

/** Runs and kills workers until all members have left the journey; calls `disturb` before each kill. */
async function finishUnderKills(ctx: Context, id: string, disturb: () => Promise<void>): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const one = await worker();
    await eventually(async () => {
      const ended = await endedRuns(ctx, id);
      expect(ended).toBeGreaterThanOrEqual(Math.min(MEMBERS, ((kill - 1) * MEMBERS) / KILLS + 1));
    });
    await disturb();
    await killed(one);
    await passLeases(ctx);
  }
  const last = await worker();
  await eventually(async () => expect(await endedRuns(ctx, id)).toBe(MEMBERS));
  keep(last);
}

test('killed workers lose no member, and nothing is done twice', async () => {
  const ctx = newContext();
  const id = await givenMembersInJourney(ctx);
  await finishUnderKills(ctx, id, async () => {});
  await expectEachOnce(ctx, id);
}, 240_000);

test('the same holds where the database ends the sessions of a worker in the middle of a batch', async () => {
  const ctx = newContext();
  const id = await givenMembersInJourney(ctx);
  await finishUnderKills(ctx, id, async () => {
    await ctx.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
  });
  await expectEachOnce(ctx, id);
}, 240_000);

test('once a pause has answered, nobody moves and no message is added', async () => {
  const ctx = newContext();
  const id = await givenMembersInJourney(ctx);
  const one = await worker();
  await eventually(async () => expect(await endedRuns(ctx, id)).toBeGreaterThan(0));
  await pauseJourney(contextOf(services, ctx.caller), id);
  const progress = async () => ({
    counts: await nodeCountsOf(ctx, id),
    messages: await ctx.sql.query(
      `SELECT count(*)::int AS count, count(*) FILTER (WHERE sent_at IS NOT NULL)::int AS sent
         FROM engagement.messages WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    ),
  });
  const atPause = await progress();
  // First the worker puts every due run on hold; then it has had the chance to move each of them.
  await eventually(async () => {
    const due = (await runsOf(ctx, id)).filter(({ dueAt }) => dueAt !== null);
    expect(due).toEqual([]);
  });
  expect(await progress()).toEqual(atPause);
  await killed(one);
}, 240_000);
