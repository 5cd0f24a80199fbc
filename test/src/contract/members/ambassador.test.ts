import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../../harness/eventually.ts';
import { linkToken } from '../../harness/mailed-links.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { enrol } from './members.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'ambassador');
  key = (await stack.key(token)).secret;
});

const unknown = newId(systemClock);
const code = expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);
const issue = (id: string, body?: unknown, as = key) =>
  stack.rest('POST', `/api/v2/ambassador/members/${id}/issue-code`, {
    as,
    ...(body !== undefined && { body }),
  });
const today = () => stack.services.clock.now().toISOString().slice(0, 10);

async function graph(query: string, variables: object = {}, credential: string | null = token) {
  const { data, errors } = await stack.graph<Record<string, never>>(query, variables, credential);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as Record<string, unknown>;
}

async function openForm(): Promise<string> {
  const made = await graph('mutation { createEnrollmentForm(input: {name: "Till", source: QR}) { token } }');
  return (made as { createEnrollmentForm: { token: string } }).createEnrollmentForm.token;
}

const ENROL =
  'mutation ($token: String!, $input: EnrolInput!) { enrol(token: $token, input: $input) { accepted } }';

describe('POST /ambassador/members/{id}/issue-code', () => {
  test('answers 201 with the code, and again with the same', async () => {
    const { id } = await enrol(stack, key);
    const first = await issue(id);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      data: {
        memberId: id,
        code,
        url: expect.stringContaining(first.body.data.code),
        created_at: shapes.instant,
      },
    });
    const again = await issue(id);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expectError(await issue(id, { poolId: unknown }), 404, 'COUPON_POOL_NOT_FOUND', unknown);
  });

  test('an unknown member is 404, a pool id that is none 400, a field too many 400', async () => {
    const { id } = await enrol(stack, key);
    expectError(await issue(unknown), 404, 'MEMBER_NOT_FOUND', unknown);
    expectError(await issue('nobody'), 404, 'MEMBER_NOT_FOUND', 'nobody');
    expectError(await issue(id, { poolId: 'summer' }), 400, 'INVALID_ID', 'poolId must be a UUID');
    expectError(await issue(id, { pool: unknown }), 400, 'UNKNOWN_FIELD', /^pool is not a field/);
  });
});

describe('GET /ambassador/candidates', () => {
  test('answers members with score, referrals, tier and reasons, and the total', async () => {
    const { id } = await enrol(stack, key);
    await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 5_000 } });
    const { status, body } = await stack.rest('GET', '/api/v2/ambassador/candidates', { as: key });
    expect(status).toBe(200);
    expect(body).toEqual({
      candidates: [
        { memberId: id, score: 30, orders: 0, referrals: 0, tier: null, reasons: ['Earned 5,000 points'] },
      ],
      total: 1,
    });
    const page = await stack.rest('GET', '/api/v2/ambassador/candidates?limit=1&offset=1', { as: key });
    expect(page.body).toEqual({ candidates: [], total: 1 });
    expectError(
      await stack.rest('GET', '/api/v2/ambassador/candidates?limit=0', { as: key }),
      400,
      'VALIDATION_FAILED',
      'limit must be between 1 and 200',
    );
  });
});

describe('GET /ambassador/metrics', () => {
  test('answers the counts of the last thirty days by default', async () => {
    const { status, body } = await stack.rest('GET', '/api/v2/ambassador/metrics', { as: key });
    expect(status).toBe(200);
    expect(body).toEqual({
      ambassadors: expect.any(Number),
      codes_issued: expect.any(Number),
      codes_redeemed: 0,
      referred_members: 0,
      referred_orders: 0,
      conversion_rate: 0,
      period: { from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), to: today() },
    });
    const past = '/api/v2/ambassador/metrics?from=2020-01-01&to=2020-01-31';
    expect((await stack.rest('GET', past, { as: key })).body).toEqual({
      ambassadors: 0,
      codes_issued: 0,
      codes_redeemed: 0,
      referred_members: 0,
      referred_orders: 0,
      conversion_rate: 0,
      period: { from: '2020-01-01', to: '2020-01-31' },
    });
  });

  test.each([
    ['from=yesterday', /^from must be/],
    ['from=2026-02-30', /^from must be/],
    ['from=2020-02-01&to=2020-01-01', 'from must not be after to'],
    ['from=2018-01-01&to=2020-01-01', /^from must be at most 366 days/],
  ])('?%s is 400', async (query, sentence) => {
    const reply = await stack.rest('GET', `/api/v2/ambassador/metrics?${query}`, { as: key });
    expectError(reply, 400, 'VALIDATION_FAILED', sentence);
  });
});

test('each path is refused without its scope, and while the module is off', async () => {
  const { id } = await enrol(stack, key);
  const reader = (await stack.key(token, ['ambassador:read', 'members:read'])).secret;
  expectError(await issue(id, {}, reader), 403, 'SCOPE_MISSING', 'ambassador:write');
  const measurer = (await stack.key(token, ['metrics:read'])).secret;
  expect((await stack.rest('GET', '/api/v2/ambassador/metrics', { as: measurer })).status).toBe(200);
  expectError(
    await stack.rest('GET', '/api/v2/ambassador/candidates', { as: measurer }),
    403,
    'SCOPE_MISSING',
    'ambassador:read',
  );
  const other = await stack.signUp();
  const off = (await stack.key(other.token)).secret;
  for (const path of ['candidates', 'metrics'])
    expectError(
      await stack.rest('GET', `/api/v2/ambassador/${path}`, { as: off }),
      403,
      'MODULE_DISABLED',
      'ambassador',
    );
  expectError(await issue(id, {}, off), 403, 'MODULE_DISABLED', 'ambassador');
});

describe('joining by a form, through the whole product', () => {
  test('a friend joins by a code, opens the mailed link and is active and counted', async () => {
    const worker = stack.work();
    const form = await openForm();
    const { id } = await enrol(stack, key);
    const { data } = (await issue(id)).body;
    expect(data.url).toContain(`/enrol/${form}?ref=${data.code}`);
    const input = { email: 'friend@example.com', fullName: 'Friend', referralCode: data.code.toLowerCase() };
    expect(await graph(ENROL, { token: form, input }, null)).toEqual({ enrol: { accepted: true } });
    await worker;
    const link = await eventually(() => linkToken(stack, 'friend@example.com', 'confirm-enrollment'));
    const confirm = 'mutation ($token: String!) { confirmEnrollment(token: $token) }';
    expect(await graph(confirm, { token: link }, null)).toEqual({ confirmEnrollment: true });
    const found = await graph(
      '{ members(search: "friend@example.com") { nodes { status enrollmentSource } } }',
    );
    expect(found).toEqual({ members: { nodes: [{ status: 'ACTIVE', enrollmentSource: 'QR' }] } });
    const { body } = await stack.rest('GET', '/api/v2/ambassador/metrics', { as: key });
    expect(body).toMatchObject({ codes_redeemed: 1, referred_members: 1 });
  });

  test('a member checks in with the session that its app was given', async () => {
    const { id } = await enrol(stack, key);
    const { createStore } = (await graph(
      'mutation { createStore(input: {name: "Corner", address: "Street 1"}) { id } }',
    )) as { createStore: { id: string } };
    const { startMemberSession } = (await graph(
      'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
      { id },
    )) as { startMemberSession: { token: string } };
    const CHECK_IN = 'mutation ($id: ID!) { checkIn(storeId: $id) { isNew visit { visitedOn source } } }';
    const isNew = [true, false];
    for (const first of isNew)
      expect(await graph(CHECK_IN, { id: createStore.id }, startMemberSession.token)).toEqual({
        checkIn: { isNew: first, visit: { visitedOn: today(), source: 'QR' } },
      });
    const visits = await graph(
      'query ($id: ID!) { storeVisits(storeId: $id) { nodes { member { id } store { name } } } }',
      { id: createStore.id },
    );
    expect(visits).toEqual({ storeVisits: { nodes: [{ member: { id }, store: { name: 'Corner' } }] } });
  });
});
