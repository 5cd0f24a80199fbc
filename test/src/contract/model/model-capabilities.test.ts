import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { enrol } from '../members/members.fixture.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { type ModelTenant, modelTenant } from './model.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
let memberId: string;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
  memberId = (await enrol(stack, tenant.v2Key)).id;
  await eventually(async () => expect(await balance(tenant)).toBe(50_000));
});

const balance = async ({ token }: ModelTenant): Promise<number> => {
  const { data } = await stack.graph<{ wallet: { balance: number } }>('{ wallet { balance } }', {}, token);
  return data.wallet.balance;
};
const list = (as: string) => stack.rest('GET', '/api/v1/capabilities', { as });
const call = (name: string, args: object, as = tenant.key) =>
  stack.rest('POST', '/api/v1/capabilities', { as, body: { name, arguments: args } });
const batch = (requests: unknown, as = tenant.key) =>
  stack.rest('POST', '/api/v1/capabilities/batch', { as, body: { requests } });

/** The exact keys of the documented envelope. */
const envelopeKeys = ['computed_at', 'credits_charged', 'evidence', 'limitations', 'model_version', 'status'];
const unknownId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
const state = (id: string, member = memberId) => ({
  id,
  name: 'model_get_consumer_state',
  arguments: { member_id: member },
});

describe('GET /api/v1/capabilities', () => {
  test('lists what the key may call, each with a JSON Schema of its arguments', async () => {
    const { status, body } = await list(tenant.key);
    expect([status, Object.keys(body)]).toEqual([200, ['capabilities']]);
    const names = body.capabilities.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['model_get_consumer_state', 'model_predict_purchase']));
    for (const capability of body.capabilities) {
      expect(capability).toEqual({
        name: expect.stringMatching(/^model_[a-z_]+$/),
        description: expect.any(String),
        scope: expect.stringMatching(/^(predictions|decisions):(read|write)$/),
        inputSchema: expect.objectContaining({ type: 'object' }),
        paged: expect.any(Boolean),
        cost: expect.any(Number),
      });
    }
    const one = body.capabilities.find(({ name }: { name: string }) => name === 'model_get_consumer_state');
    expect(one).toMatchObject({ scope: 'predictions:read', paged: false, cost: 30 });
    expect(one.inputSchema).toMatchObject({
      required: ['member_id'],
      properties: { member_id: { type: 'string', format: 'uuid' } },
    });
  });

  test('shows a key of one scope only what it opens', async () => {
    const { secret } = await stack.key(tenant.token, ['decisions:read']);
    const { body } = await list(secret);
    expect(body.capabilities.map(({ scope }: { scope: string }) => scope)).toEqual(
      body.capabilities.map(() => 'decisions:read'),
    );
    expect(body.capabilities.length).toBeGreaterThan(0);
  });
});

describe('POST /api/v1/capabilities', () => {
  test('answers 200 with result, envelope and data; a member without facts has no scores and costs nothing', async () => {
    const before = await balance(tenant);
    const reply = await call('model_get_consumer_state', { member_id: memberId });
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['result']]);
    const { envelope, data } = reply.body.result;
    expect(Object.keys(reply.body.result).sort()).toEqual(['data', 'envelope']);
    expect(Object.keys(envelope).sort()).toEqual(envelopeKeys);
    expect(envelope).toMatchObject({
      status: 'unavailable',
      computed_at: shapes.instant,
      credits_charged: 0,
      limitations: expect.any(Array),
    });
    for (const one of envelope.evidence)
      expect(Object.keys(one).sort()).toEqual(['kind', 'observed_at', 'value']);
    expect(JSON.stringify(data)).not.toMatch(/"score":0/);
    expect(await balance(tenant)).toBe(before);
  });

  test.each([
    ['a member that is not there', () => call('model_predict_purchase', { member_id: unknownId }), 404],
    ['a name that is not there', () => call('model_read_minds', {}), 404],
    ['an argument that is none', () => call('model_predict_purchase', { member_id: 'm-1' }), 400],
    ['no argument', () => call('model_predict_purchase', {}), 400],
    [
      'an identity',
      () => call('model_predict_purchase', { member_id: memberId, workspace_id: unknownId }),
      400,
    ],
  ])('refuses %s', async (_, attempt, status) => {
    expectModelError(await attempt(), status, /^[A-Z_]+$/);
  });

  test('knows no member of another workspace', async () => {
    const other = await modelTenant(stack);
    expectModelError(
      await call('model_predict_purchase', { member_id: memberId }, other.key),
      404,
      'NOT_FOUND',
    );
  });

  test('a capability whose scope the key lacks is 403', async () => {
    const { secret } = await stack.key(tenant.token, ['decisions:read']);
    const reply = await call('model_predict_purchase', { member_id: memberId }, secret);
    expectModelError(reply, 403, 'SCOPE_MISSING', 'predictions:read');
  });

  test('records a decision and shows it in the history, for nothing', async () => {
    const before = await balance(tenant);
    const recorded = await call('model_record_decision', { member_id: memberId, action: 'call' });
    expect(recorded).toMatchObject({ status: 200, body: { result: { envelope: { credits_charged: 0 } } } });
    const history = await call('model_get_decision_history', { member_id: memberId });
    expect(history.status).toBe(200);
    expect(JSON.stringify(history.body.result.data)).toContain('call');
    expect(await balance(tenant)).toBe(before);
  });

  test('a test key sees test members only, and is charged nothing', async () => {
    const { secret } = await stack.key(tenant.token, ['predictions:read'], 'TEST');
    expectModelError(await call('model_predict_purchase', { member_id: memberId }, secret), 404, 'NOT_FOUND');
    const { secret: v2Test } = await stack.key(tenant.token, ['members:write', 'members:read'], 'TEST');
    const { id } = await enrol(stack, v2Test);
    const before = await balance(tenant);
    expect((await call('model_get_consumer_state', { member_id: id }, secret)).status).toBe(200);
    expect(await balance(tenant)).toBe(before);
  });
});

describe('a wallet that does not cover the call', () => {
  test.each([
    ['TRIAL_CREDITS_EXHAUSTED', "plan = 'TRIAL', trial_used = 50000"],
    ['SUBSCRIPTION_REQUIRED', "plan = 'PAUSED'"],
    ['INSUFFICIENT_CREDITS', "plan = 'PAID', balance = 9"],
  ])('is 402 with %s, for a single call and for the item of a batch', async (code, wallet) => {
    const poor = await modelTenant(stack);
    const { id } = await enrol(stack, poor.v2Key);
    await eventually(async () => expect(await balance(poor)).toBe(50_000));
    const { sql } = stack.services.database;
    await sql.query(`UPDATE model.wallets SET ${wallet} WHERE workspace_id = $1`, [poor.workspaceId]);
    expectModelError(await call('model_predict_purchase', { member_id: id }, poor.key), 402, code);
    const { status, body } = await batch([state('a', id)], poor.key);
    expect([status, body.results]).toEqual([
      207,
      [{ id: 'a', ok: false, status: 402, error: { code, message: expect.any(String) } }],
    ]);
  });
});

describe('POST /api/v1/capabilities/batch', () => {
  test('is 200 when every call completed, in the order of the requests', async () => {
    const reply = await batch([state('b'), state('a')]);
    expect([reply.status, Object.keys(reply.body).sort()]).toEqual([
      200,
      ['failed', 'results', 'succeeded', 'total'],
    ]);
    expect(reply.body).toMatchObject({ total: 2, succeeded: 2, failed: 0 });
    expect(reply.body.results.map(Object.keys)).toEqual([
      ['id', 'ok', 'status', 'result'],
      ['id', 'ok', 'status', 'result'],
    ]);
    expect(reply.body.results).toMatchObject([
      { id: 'b', ok: true, status: 200, result: { envelope: { status: 'unavailable' } } },
      { id: 'a', ok: true, status: 200 },
    ]);
  });

  test('is 207 when calls failed, each with its own status and code, and without a result', async () => {
    const { secret } = await stack.key(tenant.token, ['predictions:read', 'decisions:write']);
    const reply = await batch(
      [
        state('fine'),
        state('missing', unknownId),
        { id: 'invalid', name: 'model_predict_purchase', arguments: { member_id: 5 } },
        { id: 'shapeless', name: 'model_predict_purchase', arguments: 'none' },
        { id: 'null', name: 'model_predict_purchase', arguments: null },
        { id: 'denied', name: 'model_get_decision_history', arguments: {} },
        { id: 'single', name: 'model_record_decision', arguments: { member_id: memberId, action: 'call' } },
      ],
      secret,
    );
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({ total: 7, succeeded: 1, failed: 6 });
    const failed = (id: string, status: number, code: string) => ({
      id,
      ok: false,
      status,
      error: { code, message: expect.any(String) },
    });
    expect(reply.body.results.slice(1)).toEqual([
      failed('missing', 404, 'NOT_FOUND'),
      failed('invalid', 400, 'INVALID_ARGUMENTS'),
      failed('shapeless', 400, 'INVALID_ARGUMENTS'),
      failed('null', 400, 'INVALID_ARGUMENTS'),
      failed('denied', 403, 'FORBIDDEN'),
      failed('single', 403, 'NOT_ALLOWED_IN_BATCH'),
    ]);
    expect(reply.body.results[0]).not.toHaveProperty('error');
  });

  test('is 207 when all failed', async () => {
    const reply = await batch([state('a', unknownId)]);
    expect([reply.status, reply.body.failed, reply.body.succeeded]).toEqual([207, 1, 0]);
  });

  test.each([
    ['no requests', undefined],
    ['requests that are no list', { 0: {} }],
    ['an empty list', []],
    ['21 items', Array.from({ length: 21 }, (_, index) => ({ id: `${index}`, name: 'x', arguments: {} }))],
    ['an id twice', [state('a', unknownId), state('a', unknownId)]],
    ['an item without an id', [{ name: 'x', arguments: {} }]],
    ['an item without a name', [{ id: 'a', arguments: {} }]],
    ['an item with more', [{ id: 'a', name: 'x', arguments: {}, actor: 'user:1' }]],
    ['an item that is null', [null]],
  ])('%s is 400 as a whole', async (_, requests) => {
    expectModelError(await batch(requests), 400, /^(VALIDATION_FAILED|UNKNOWN_FIELD)$/, /^requests/);
  });

  test('items beyond 60 a minute of one key fail with 429, those before are answered', async () => {
    const { secret } = await stack.key(tenant.token, ['predictions:read']);
    const twenty = Array.from({ length: 20 }, (_, index) => state(`${index}`));
    for (let time = 0; time < 3; time += 1) expect((await batch(twenty, secret)).status).toBe(200);
    const reply = await batch(twenty.slice(0, 2), secret);
    expect([reply.status, reply.body.failed]).toEqual([207, 2]);
    expect(reply.body.results[0]).toMatchObject({ ok: false, status: 429, error: { code: 'RATE_LIMITED' } });
    expect((await batch([state('a')])).status).toBe(200);
  });
});
