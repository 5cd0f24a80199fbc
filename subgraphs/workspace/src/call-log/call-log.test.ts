import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { createApiKey } from '../access/api-keys.service.ts';
import { createGiven } from '../workspace.fixture.ts';
import { pruneCallLogJob } from './call-log.jobs.ts';

const { services } = useServices();
const given = createGiven(services);
beforeAll(() => pruneCallLogJob.run(given.system(), {}));

const RECORD = 'mutation ($calls: [CallInput!]!) { _recordCalls(calls: $calls) }';
const LOG = `query (
  $apiKeyId: ID, $callerKind: ViewerKind, $outcomes: [CallOutcome!], $requestId: String
  $from: Date, $to: Date, $first: Int, $offset: Int
) {
  callLog(
    apiKeyId: $apiKeyId, callerKind: $callerKind, outcomes: $outcomes, requestId: $requestId
    from: $from, to: $to, first: $first, offset: $offset
  ) {
    totalCount
    nodes { actor channel operation status reason durationMs requestId calledAt }
  }
}`;

const call = (workspaceId: string, actor: string, details: object = {}) => ({
  workspaceId,
  actor,
  channel: 'rest',
  operation: 'GET /api/v2/members',
  status: 200,
  durationMs: 12,
  requestId: 'r-1',
  calledAt: services.clock.now().toISOString(),
  ...details,
});

interface Log {
  callLog: { totalCount: number; nodes: { actor: string; operation: string }[] };
}

describe('the call log', () => {
  test('writes any number of calls and the last use of their keys in one statement', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const calls = [
      ...Array.from({ length: 400 }, () => call(workspaceId, `key:${apiKey.id}`)),
      call(workspaceId, ctx.caller.actor),
    ];
    services.statements.length = 0;
    expect((await given.run(given.system(), RECORD, { calls })).data).toEqual({ _recordCalls: 401 });
    expect(services.statements).toHaveLength(1);
    const { data } = await given.run<Log>(ctx, LOG, { apiKeyId: apiKey.id, first: 2 });
    expect(data.callLog).toMatchObject({
      totalCount: 400,
      nodes: [{ operation: 'GET /api/v2/members' }, {}],
    });
    const key = await given.run(
      ctx,
      'query ($id: ID!) { apiKey(id: $id) { lastUsedAt recentActivity(first: 3) { totalCount nodes { status } } } }',
      { id: apiKey.id },
    );
    expect(key.data).toEqual({
      apiKey: {
        lastUsedAt: services.clock.now().toISOString(),
        recentActivity: { totalCount: 400, nodes: [{ status: 200 }, { status: 200 }, { status: 200 }] },
      },
    });
  });

  test('shows nothing of another workspace, and does not touch its keys', async () => {
    const [{ ctx, workspaceId }, foreign] = [await given.owner(), await given.owner()];
    const { apiKey } = await createApiKey(foreign.ctx, { name: 'Till', scopes: ['members:read'] });
    await given.run(given.system(), RECORD, { calls: [call(workspaceId, `key:${apiKey.id}`)] });
    expect((await given.run<Log>(foreign.ctx, LOG)).data.callLog.totalCount).toBe(0);
    const sql = 'SELECT last_used_at FROM workspace.api_keys WHERE id = $1';
    expect(await services.database.sql.query(sql, [apiKey.id])).toEqual([{ lastUsedAt: null }]);
    expect((await given.run<Log>(ctx, LOG)).data.callLog.totalCount).toBe(1);
  });

  test('shows a test credential test calls only', async () => {
    const { ctx, token, workspaceId } = await given.owner();
    const calls = [call(workspaceId, 'key:a'), call(workspaceId, 'key:b', { mode: 'TEST' })];
    await given.run(given.system(), RECORD, { calls });
    const sandbox = await given.contextOf(token, { mode: 'TEST' });
    expect((await given.run<Log>(sandbox, LOG)).data.callLog.nodes.map(({ actor }) => actor)).toEqual([
      'key:b',
    ]);
    expect((await given.run<Log>(ctx, LOG)).data.callLog.totalCount).toBe(2);
  });

  test('filters by outcome and day', async () => {
    const { ctx, workspaceId } = await given.owner();
    const now = services.clock.now();
    const yesterday = new Date(now.getTime() - DAY_MS).toISOString();
    const calls = [
      call(workspaceId, 'key:fine'),
      call(workspaceId, 'key:refused', { status: 422 }),
      call(workspaceId, 'key:failed', { status: 503 }),
      call(workspaceId, 'key:answered', { channel: 'GRAPHQL', reason: 'MEMBER_NOT_FOUND' }),
      call(workspaceId, 'key:old', { calledAt: yesterday }),
    ];
    await given.run(given.system(), RECORD, { calls });
    const actors = async (variables: Record<string, unknown>) => {
      const { callLog } = (await given.run<Log>(ctx, LOG, variables)).data;
      expect(callLog.totalCount).toBe(callLog.nodes.length);
      return callLog.nodes.map(({ actor }) => actor.slice(4)).join(' ');
    };
    const today = now.toISOString().slice(0, 10);
    expect(await actors({ outcomes: ['SUCCEEDED'] })).toBe('old fine');
    expect(await actors({ outcomes: ['REFUSED'] })).toBe('answered refused');
    expect(await actors({ outcomes: ['FAILED'] })).toBe('failed');
    expect(await actors({ outcomes: ['REFUSED', 'FAILED'] })).toBe('answered failed refused');
    expect(await actors({ outcomes: [] })).toBe('old answered failed refused fine');
    expect(await actors({ from: today })).toBe('answered failed refused fine');
    expect(await actors({ to: yesterday.slice(0, 10) })).toBe('');
    const faults = await given.run(ctx, LOG, { from: today, to: yesterday.slice(0, 10) });
    expect(faults).toMatchObject({ field: 'from' });
  });

  test('finds the calls of integrations, and one call by its request id', async () => {
    const { ctx, workspaceId } = await given.owner();
    const calls = [
      call(workspaceId, 'key:a', { requestId: 'r-key' }),
      call(workspaceId, ctx.caller.actor, { requestId: 'r-user' }),
      call(workspaceId, 'member:b', { requestId: 'r-member' }),
      call((await given.owner()).workspaceId, 'key:c', { requestId: 'r-foreign' }),
    ];
    await given.run(given.system(), RECORD, { calls });
    const actors = async (variables: Record<string, unknown>) =>
      (await given.run<Log>(ctx, LOG, variables)).data.callLog.nodes.map(({ actor }) => actor);
    expect(await actors({ callerKind: 'KEY' })).toEqual(['key:a']);
    expect(await actors({ callerKind: 'USER' })).toEqual([ctx.caller.actor]);
    expect(await actors({ callerKind: 'MEMBER' })).toEqual(['member:b']);
    expect(await actors({ requestId: 'r-user' })).toEqual([ctx.caller.actor]);
    expect(await actors({ requestId: 'r-foreign' })).toEqual([]);
  });

  test('says why a call failed, and who made it', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const reasons = ['INSUFFICIENT_POINTS', 'OF_A_LATER_VERSION', null];
    const calls = [
      ...reasons.map((reason) => call(workspaceId, `key:${apiKey.id}`, { status: 409, reason })),
      call(workspaceId, ctx.caller.actor),
      call(workspaceId, `key:${randomUUID()}`),
    ];
    await given.run(given.system(), RECORD, { calls });
    const query = '{ callLog { nodes { reason apiKey { name } user { id } } } }';
    const { data } = await given.run(ctx, query);
    const till = { name: 'Till' };
    expect(data).toEqual({
      callLog: {
        nodes: [
          { reason: null, apiKey: null, user: null },
          { reason: null, apiKey: null, user: { id: ctx.caller.accountId } },
          { reason: null, apiKey: till, user: null },
          { reason: null, apiKey: till, user: null },
          { reason: 'INSUFFICIENT_POINTS', apiKey: till, user: null },
        ],
      },
    });
  });

  test('refuses more than 5,000 calls at once', async () => {
    const calls = Array.from({ length: 5_001 }, () => call(randomUUID(), 'key:a'));
    expect(await given.run(given.system(), RECORD, { calls })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'calls',
    });
  });

  test('is forgotten after 30 days, by dropping the partitions of its days', async () => {
    const { ctx, workspaceId } = await given.owner();
    const record = (actor: string) =>
      given.run(given.system(), RECORD, { calls: [call(workspaceId, actor)] });
    await record('key:old');
    services.clock.advance(DAY_MS);
    await record('key:kept');
    // The last instant of the 30th day.
    services.clock.set(
      new Date(Math.ceil((services.clock.now().getTime() + 30 * DAY_MS) / DAY_MS) * DAY_MS - 1),
    );
    await record('key:new');
    await pruneCallLogJob.run(given.system(), {});
    const actors = async () => (await given.run<Log>(ctx, LOG)).data.callLog.nodes.map(({ actor }) => actor);
    expect(await actors()).toEqual(['key:new', 'key:kept']);
    services.clock.advance(1);
    await pruneCallLogJob.run(given.system(), {});
    expect(await actors()).toEqual(['key:new']);
    const days = await partitions();
    expect(days.filter((day) => day < dayName(-30))).toEqual([]);
    expect(days).toEqual(expect.arrayContaining([dayName(0), dayName(1), dayName(2)]));
    expect(new Set(days).size).toBe(days.length);
  });

  test('is written although no partition was made ahead, also by many at once', async () => {
    const { ctx, workspaceId } = await given.owner();
    services.clock.advance(40 * DAY_MS);
    expect(await partitions()).not.toContain(dayName(0));
    const written = await Promise.all(
      Array.from({ length: 8 }, () =>
        given.run(given.system(), RECORD, { calls: [call(workspaceId, 'key:a')] }),
      ),
    );
    expect(written.map(({ data }) => data)).toEqual(Array(8).fill({ _recordCalls: 1 }));
    expect((await given.run<Log>(ctx, LOG)).data.callLog.totalCount).toBe(8);
    expect((await partitions()).filter((day) => day === dayName(0))).toHaveLength(1);
  });

  test('of a key is read from the newest partitions only, by its index', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const others = Array.from({ length: 40 }, (_, number) => call(workspaceId, `key:${number}`));
    for (let day = 0; day < 20; day += 1) {
      services.clock.advance(DAY_MS);
      const own = Array.from({ length: 10 }, () => call(workspaceId, `key:${apiKey.id}`));
      await given.run(given.system(), RECORD, { calls: [...own, ...others] });
    }
    await services.database.sql.query('ANALYZE workspace.call_log');
    services.statements.length = 0;
    const activity =
      'query ($id: ID!) { apiKey(id: $id) { recentActivity(first: 12) { nodes { status } } } }';
    expect((await given.run(ctx, activity, { id: apiKey.id })).data).toMatchObject({
      apiKey: { recentActivity: { nodes: Array(12).fill({ status: 200 }) } },
    });
    const text = services.statements.find((statement) => statement.includes('workspace.call_log'))!;
    const actor = `key:${apiKey.id}`;
    const [explained] = await services.database.sql.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [workspaceId, 'LIVE', [actor], [13], [null]],
    );
    const isPast = (scan: PlanNode) => scan['Relation Name']! <= `call_log_${dayName(0)}`;
    const executed = scansIn(explained!['QUERY PLAN']).filter((scan) => scan['Actual Loops'] !== 0);
    // Partitions of later days are read, too, and empty.
    const scans = executed.filter(isPast);
    expect(scans.map((scan) => scan['Relation Name']).sort()).toEqual([
      `call_log_${dayName(-1)}`,
      `call_log_${dayName(0)}`,
    ]);
    for (const scan of scans) expect(scan['Index Name']).toMatch(/workspace_id_actor_id/);
  });
});

/** Returns the days that have a partition, oldest first. */
async function partitions(): Promise<string[]> {
  const rows = await services.database.sql.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = 'workspace.call_log'::regclass`,
  );
  return rows.map(({ name }) => name.slice(-8)).sort();
}

const dayName = (offset: number): string =>
  new Date(services.clock.now().getTime() + offset * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns every node of a plan that reads a partition of the log. */
function scansIn(plan: unknown): PlanNode[] {
  const [{ Plan }] = plan as [{ Plan: PlanNode }];
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)];
  return below(Plan).filter((node) => node['Relation Name']?.startsWith('call_log'));
}
