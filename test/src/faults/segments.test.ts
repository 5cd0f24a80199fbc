import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Condition } from '@loyalty/engagement-subgraph/conditions/condition';
import { computeSegment } from '@loyalty/engagement-subgraph/profiles/computations.service';
import { givenSegment, segmentRow } from '@loyalty/engagement-subgraph/profiles/memberships.fixture';
import { givenProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { useServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';
import { killed, useWorkers } from './bulk-workers.fixture.ts';

const child = fileURLToPath(new URL('./job.process.ts', import.meta.url));
const MEMBERS = 100_000;

const used = useServices();
const { services, newContext } = used;
const { newWorker } = useWorkers(used);

const keysOf = (keys: typeof services.config.masterKeys): string =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join();

/** Makes members with 0, 1, 2 … points; each of them has an order. */
async function givenMembers(ctx: Context, count: number): Promise<void> {
  await givenProfiles(ctx, []);
  for (let from = 0; from < count; from += 5_000) {
    await ctx.sql.query(
      `WITH made AS (
         INSERT INTO engagement.profiles
                (workspace_id, mode, member_id, status, enrollment_source, is_restricted, has_email,
                 time_zone, created_at, last_activity_at, custom_attributes, tags, consents, points_balance,
                 points_earned, order_count, order_revenue_minor, visit_count, open_coupons, refreshed_at)
         SELECT $1, 'LIVE', gen_random_uuid(), 'ACTIVE', 'API', false, true, 'UTC', $2, $2, '{}', '{}', '{}', n,
                n, 1, 0, 0, 0, $2
           FROM generate_series($3::int, $4::int - 1) AS n
         RETURNING member_id)
       INSERT INTO engagement.occurrences (workspace_id, mode, member_id, kind, name, occurred_at, ref_id)
       SELECT $1, 'LIVE', member_id, 'ORDER', '', $2, gen_random_uuid() FROM made`,
      [ctx.scope.workspaceId, services.clock.now(), from, Math.min(from + 5_000, count)],
    );
  }
}

const counted = async (ctx: Context, segmentId: string) => {
  const [row] = await ctx.sql.query<{ members: number; entered: number; left: number }>(
    `SELECT (SELECT count(*)::int FROM engagement.segment_members
              WHERE workspace_id = $1 AND segment_id = $2 AND is_member) AS members,
            (SELECT count(*)::int FROM platform.outbox
              WHERE workspace_id = $1 AND type = 'segment.entered') AS entered,
            (SELECT count(DISTINCT payload ->> 'memberId')::int FROM platform.outbox
              WHERE workspace_id = $1 AND type = 'segment.left') AS left`,
    [ctx.scope.workspaceId, segmentId],
  );
  const { memberCount } = await segmentRow(ctx, segmentId);
  return { ...row!, memberCount };
};

test('a computation whose process is killed goes on where it stopped, and counts everybody once', async () => {
  const ctx = newContext();
  await givenMembers(ctx, MEMBERS);
  const rich: Condition = { field: 'points_balance', operator: 'at_least', value: MEMBERS / 4 };
  const id = await givenSegment(ctx, rich, { aspects: ['POINTS'] });
  const { dataDir, masterKeys } = services.config;
  const asked = JSON.stringify({ 'engagement.compute-segment': { segmentId: id } });
  const running = spawn(process.execPath, [child, ctx.scope.workspaceId, dataDir, asked], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      ...compileCache,
      DATABASE_URL: services.url,
      LOYALTY_MASTER_KEYS: keysOf(masterKeys),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(running, 'close');
  await eventually(async () => {
    expect((await segmentRow(ctx, id)).memberCount).toBeGreaterThan(0);
  });
  running.kill('SIGKILL');
  await ended;
  const stopped = await segmentRow(ctx, id);
  expect(stopped.computedToId).not.toBeNull();
  expect((await counted(ctx, id)).members).toBe(stopped.memberCount);
  await computeSegment(ctx, id);
  const wanted = (MEMBERS * 3) / 4;
  expect(await counted(ctx, id)).toEqual({ members: wanted, memberCount: wanted, entered: 0, left: 0 });
  expect(await segmentRow(ctx, id)).toMatchObject({ computedVersion: 1, computedToId: null });
}, 180_000);

test('members whose time is over leave once, though the worker is killed in the middle', async () => {
  const ctx = newContext();
  const members = 20_000;
  await givenMembers(ctx, members);
  const recent: Condition = { event: 'order.created', within_days: 10 };
  const id = await givenSegment(ctx, recent, { aspects: ['ORDERS'] });
  await computeSegment(ctx, id);
  expect(await counted(ctx, id)).toMatchObject({ members, left: 0 });
  // The workers use the clock of the machine, which is months later.
  const first = await newWorker();
  await eventually(async () => expect((await counted(ctx, id)).left).toBeGreaterThan(0));
  await killed(first);
  const second = await newWorker();
  await eventually(
    async () =>
      expect(await counted(ctx, id)).toEqual({ members: 0, memberCount: 0, entered: 0, left: members }),
    90_000,
  );
  await killed(second);
  const [published] = await ctx.sql.query<{ events: number }>(
    `SELECT count(*)::int AS events FROM platform.outbox WHERE workspace_id = $1 AND type = 'segment.left'`,
    [ctx.scope.workspaceId],
  );
  expect(published).toEqual({ events: members });
}, 240_000);
