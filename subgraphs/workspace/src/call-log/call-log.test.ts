import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/clock';
import { createTestServices, type TestServices } from '@loyalty/test/services';
import { createApiKey } from '../api-keys/api-keys.service.ts';
import { createGiven } from '../workspace.given.ts';
import { pruneCallLogJob } from './call-log.jobs.ts';

let services: TestServices;
let given: ReturnType<typeof createGiven>;
beforeAll(async () => {
  services = await createTestServices();
  given = createGiven(services);
});
afterAll(() => services.close());

const RECORD = 'mutation ($calls: [CallInput!]!) { _recordCalls(calls: $calls) }';
const LOG = `query ($apiKeyId: ID, $first: Int, $offset: Int) {
  callLog(apiKeyId: $apiKeyId, first: $first, offset: $offset) {
    totalCount nodes { actor door operation status durationMs requestId calledAt }
  }
}`;

const call = (workspaceId: string, actor: string, details: object = {}) => ({
  workspaceId,
  actor,
  door: 'rest',
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
    expect(await services.database.sql.query(sql, [apiKey.id])).toEqual([{ last_used_at: null }]);
    expect((await given.run<Log>(ctx, LOG)).data.callLog.totalCount).toBe(1);
  });

  test('shows a test credential test calls only', async () => {
    const { ctx, token, workspaceId } = await given.owner();
    const calls = [call(workspaceId, 'key:a'), call(workspaceId, 'key:b', { mode: 'TEST' })];
    await given.run(given.system(), RECORD, { calls });
    const sandbox = await given.holder(token, { mode: 'TEST' });
    expect((await given.run<Log>(sandbox, LOG)).data.callLog.nodes.map(({ actor }) => actor)).toEqual([
      'key:b',
    ]);
    expect((await given.run<Log>(ctx, LOG)).data.callLog.totalCount).toBe(2);
  });

  test('refuses more than 5,000 calls at once', async () => {
    const calls = Array.from({ length: 5_001 }, () => call(randomUUID(), 'key:a'));
    expect(await given.run(given.system(), RECORD, { calls })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'calls',
    });
  });

  test('is forgotten after 90 days', async () => {
    const { ctx, workspaceId } = await given.owner();
    await given.run(given.system(), RECORD, { calls: [call(workspaceId, 'key:old')] });
    services.clock.advance(90 * DAY_MS + 1);
    await given.run(given.system(), RECORD, { calls: [call(workspaceId, 'key:new')] });
    await pruneCallLogJob.run(given.system(), {});
    expect((await given.run<Log>(ctx, LOG)).data.callLog.nodes.map(({ actor }) => actor)).toEqual([
      'key:new',
    ]);
  });
});
