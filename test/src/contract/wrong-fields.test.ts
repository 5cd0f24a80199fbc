import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { AppError, type InputFault, inputFaults } from '@loyalty/platform/base/errors';
import { placeOf, readVariables } from '@loyalty/rest-adapter/input';
import { readOperation } from '@loyalty/rest-adapter/table/row-operation';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { isNonNullType } from 'graphql';
import { modulesOf } from '../access/callers.ts';
import { useStack } from '../harness/stack.ts';

const { schema, access } = committedSupergraph();
const stack = useStack();
let owner: string;
let modelKey: string;
let memberId: string;

beforeAll(async () => {
  ({ token: owner } = await stack.signUp());
  for (const module of modulesOf(access)) await stack.enable(owner, module);
  modelKey = (await stack.key(owner, ['predictions:read', 'model:training:write'])).secret;
  memberId = await done('createMember(input: {email: "ann@example.com", fullName: "Ann"})');
  await done('defineCustomField(input: {key: "size", label: "Size", type: NUMBER})');
  await done(
    'defineObjectType(input: {type: "car", label: "Car", fields: [{key: "plate", type: TEXT, required: true}, {key: "seats", type: NUMBER}]})',
  );
  await stack.graph('mutation { publishObjectType(type: "car") { type } }', {}, owner);
});

async function done(call: string): Promise<string> {
  const { data, errors } = await stack.graph<{ made: { id: string } }>(
    `mutation { made: ${call} { ${call.startsWith('defineObjectType') ? 'type' : 'id'} } }`,
    {},
    owner,
  );
  expect(errors).toBeUndefined();
  return data.made.id;
}

/** REST rows whose body has at least two required fields, with the names of those fields. */
const demanding = rows.flatMap((row) => {
  const operation = readOperation(row.document, schema);
  const required = operation.parameters.filter(
    ({ name, type, defaultValue }) =>
      placeOf(row, name) === 'body' && isNonNullType(type) && defaultValue === undefined,
  );
  return required.length < 2 || row.method === 'DELETE'
    ? []
    : [[operation.name, row, operation, required.map(({ name }) => name)] as const];
});

test('there are rows that require several fields', () => {
  expect(demanding.length).toBeGreaterThan(20);
});

test.each(demanding)(
  '%s without a body names every field that it requires',
  (_, row, operation, required) => {
    const params = Object.fromEntries(
      row.path.split('/').flatMap((part) => (part.startsWith(':') ? [[part.slice(1), randomUUID()]] : [])),
    );
    let faults: readonly InputFault[] = [];
    try {
      readVariables(row, operation, { params, query: {}, body: {} });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults = inputFaults(error);
    }
    expect(faults.map(({ field, message }) => `${field}: ${message}`)).toEqual(
      required.map((name) => `${name}: ${name} is required.`),
    );
  },
);

interface Sent {
  readonly method?: 'PATCH';
  readonly path: () => string;
  readonly body: object;
  /** JSON Pointers to the wrong fields, in the order of the answer. */
  readonly pointers: readonly string[];
}

const members = () => `/api/v2/members/${memberId}`;
const person = { email: 'bob@example.com', fullName: 'Bob' };
const order = { externalOrderId: 'A-1', currency: 'EUR', total: 1_250, occurredAt: '2026-01-05T10:00:00Z' };

/** Requests with several wrong fields: values of a wrong type, and values that break a rule of a service. */
const sent: Readonly<Record<string, Sent>> = {
  'a member of wrong types': {
    path: () => '/api/v2/members',
    body: { email: 5, birthDate: 'soon', colour: 'red' },
    pointers: ['#/colour', '#/email', '#/birthDate'],
  },
  'a member that breaks rules': {
    path: () => '/api/v2/members',
    body: {
      ...person,
      phone: 'none',
      birthDate: '1800-01-01',
      locale: '??',
      customAttributes: { size: 'x', a: 1 },
    },
    pointers: [
      ...['#/phone', '#/birthDate', '#/locale'],
      ...['#/customAttributes/size', '#/customAttributes/a'],
    ],
  },
  'a change of a member': {
    method: 'PATCH',
    path: members,
    body: { phone: 'none', customAttributes: { size: 'x' } },
    pointers: ['#/phone', '#/customAttributes/size'],
  },
  'custom attributes alone': {
    method: 'PATCH',
    path: members,
    body: { customAttributes: { size: 'x', colour: 'red' } },
    pointers: ['#/customAttributes/size', '#/customAttributes/colour'],
  },
  points: {
    path: () => `${members()}/points`,
    body: { amount: 100_000_000, description: 'a\u0001b' },
    pointers: ['#/amount', '#/description'],
  },
  'an order': {
    path: () => '/api/v2/orders',
    body: {
      ...order,
      externalOrderId: ' ',
      total: -1,
      tax: -1,
      items: [
        { sku: 'a', quantity: 2_000_000, unitPrice: -5 },
        { quantity: 1, unitPrice: 5 },
      ],
      occurredAt: '1950-01-01T00:00:00Z',
    },
    pointers: [
      ...['#/externalOrderId', '#/total', '#/tax', '#/items/0/quantity', '#/items/0/unitPrice', '#/items/1'],
      '#/occurredAt',
    ],
  },
  'a webhook': {
    path: () => '/api/v2/webhooks',
    body: {
      url: 'ftp://example.com',
      description: 'x'.repeat(501),
      eventTypes: ['member.created', 'a', 'b'],
    },
    pointers: ['#/url', '#/description', '#/eventTypes/1', '#/eventTypes/2'],
  },
  'a key': {
    path: () => '/api/v2/api-keys',
    body: { name: ' ', scopes: ['members:read', 'no:such', 'nor:this'] },
    pointers: ['#/name', '#/scopes/1', '#/scopes/2'],
  },
  'an account': {
    path: () => '/api/v2/auth/register',
    body: { email: 'new@example.com', password: 'short', name: ' ' },
    pointers: ['#/name', '#/password'],
  },
  'a segment': {
    path: () => '/api/v2/segments',
    body: {
      name: ' ',
      definition: { op: 'and', conditions: [{ field: 'no.such' }, { field: 'nor.this' }] },
    },
    pointers: ['#/name', '#/definition/conditions/0/field', '#/definition/conditions/1/field'],
  },
  'a campaign': {
    path: () => '/api/v2/campaigns',
    body: { name: ' ', channel: 'email', subject: ' ', html: '<p>Hello</p>' },
    pointers: ['#/name', '#/subject'],
  },
  'a message': {
    path: () => '/api/v2/transactional/send',
    body: { to: 'nobody', subject: ' ', html: ' ' },
    pointers: ['#/to', '#/subject', '#/html'],
  },
  'a record': {
    path: () => '/api/v2/objects/car/records',
    body: { data: { seats: 'many', colour: 'red' } },
    pointers: ['#/data/seats', '#/data/colour', '#/data/plate'],
  },
  'arguments of a capability': {
    path: () => '/api/v1/capabilities',
    body: { name: 'model_get_consumer_state', arguments: { a: 1, b: 2 } },
    pointers: ['#/arguments/member_id', '#/arguments/a', '#/arguments/b'],
  },
  'a training schedule': {
    path: () => '/api/v1/training',
    body: { action: 'schedule_create', baseId: 'x', enabled: 1, cadence: {} },
    pointers: [
      ...['#/baseId', '#/enabled', '#/cadence/frequency', '#/cadence/time', '#/cadence/timezone'],
      ...['#/cadence/weekday', '#/cadence/monthDay', '#/cadence/minNewSamples'],
    ],
  },
};

interface Problem {
  readonly type: string;
  readonly detail: string;
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

test.each(Object.entries(sent))(
  '%s: a problem lists every wrong field, the documented body says the first',
  async (_, { method = 'POST', path, body, pointers }) => {
    const as = path().startsWith('/api/v1') ? modelKey : owner;
    const accept = 'application/problem+json';
    const reply = await stack.rest(method, path(), { as, body, headers: { accept } });
    const problem = reply.body as Problem;
    expect([reply.status, problem.errors?.map(({ pointer }) => pointer)]).toEqual([400, pointers]);
    expect(problem.errors[0]).toEqual({ pointer: pointers[0], code: problem.code, detail: problem.detail });
    const plain = await stack.rest(method, path(), { as, body });
    expect(plain.headers.get('x-error-code')).toBe(problem.code);
    expect(plain.body).toEqual({
      error: path().startsWith('/api/v1') ? { code: problem.code, message: problem.detail } : problem.detail,
    });
  },
);

test('the type of a problem is an absolute address of the page that explains it', async () => {
  const headers = { accept: 'application/problem+json' };
  const { body } = await stack.rest('POST', '/api/v2/members', { as: owner, body: {}, headers });
  const { origin, pathname } = new URL((body as Problem).type);
  expect(origin).toMatch(/^https?:\/\//);
  const page = await fetch(stack.url + pathname);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('VALIDATION_FAILED')]);
});

const provider = 'kind: SES, name: " ", fromAddress: "no", config: {endpoint: "x"}, secret: {}';

/** Calls of the graph, and the wrong fields of each. */
const calls: Readonly<Record<string, readonly string[]>> = {
  'createTier(input: {name: " ", rank: 10001, upgradeThreshold: 1, multiplier: 0}) { id }': [
    ...['input.rank', 'input.multiplier', 'input.name'],
  ],
  'updateProgram(input: {pointsExpireAfterDays: 0, pointsPendingDays: 400, tierBasis: ROLLING}) { tierBasis }':
    [...['input.pointsExpireAfterDays', 'input.pointsPendingDays', 'input.tierPeriodDays']],
  'createCouponPool(input: {name: " ", couponType: PERCENT, discountDisplay: "", couponsExpireAt: "2020-01-01T00:00:00Z"}) { id }':
    ['input.name', 'input.discountDisplay', 'input.couponsExpireAt'],
  'createStore(input: {name: "", address: " ", latitude: 91, hours: [{weekday: MONDAY, opensAt: "9", closesAt: "x"}]}) { id }':
    [
      ...['input.latitude', 'input.longitude', 'input.name', 'input.address'],
      ...['input.hours.0.opensAt', 'input.hours.0.closesAt'],
    ],
  'createEarningRule(input: {kind: BASE, name: " ", priority: 10001, multiplier: 2, extraPoints: 5}) { id }':
    [...['input.priority', 'input.name', 'input.rate', 'input.multiplier', 'input.extraPoints']],
  'createEarningRule(input: {kind: BONUS, name: "x", rate: 1, multiplier: 1, minimumMinor: -1}) { id }': [
    ...['input.minimumMinor', 'input.rate', 'input.multiplier'],
  ],
  'updateLimits(input: {valueCap: 0, requestsPerMinute: 1}) { id }': [
    ...['input.valueCap', 'input.requestsPerMinute'],
  ],
  'defineCustomField(input: {key: "A", label: " ", type: ENUM}) { id }': [
    ...['input.key', 'input.label', 'input.options'],
  ],
  'defineObjectType(input: {type: "A", label: " ", fields: [{key: "B", type: ENUM}]}) { type }': [
    ...['input.type', 'input.label', 'input.fields[0].key', 'input.fields[0].options'],
  ],
  'startBulkAward(input: {amount: 100000000, description: " ", status: DELETED}) { id }': [
    ...['input.amount', 'input.description', 'input.status'],
  ],
  'createMessageTemplate(input: {name: " ", category: MARKETING, subject: " ", source: "x"}) { id }': [
    ...['input.name', 'input.subject'],
  ],
  [`addEmailProvider(input: {${provider}}) { id }`]: [
    ...['input.config.endpoint', 'input.config.region', 'input.fromAddress', 'input.name'],
    ...['input.secret.accessKeyId', 'input.secret.secretAccessKey'],
  ],
  'updateMessageSettings(input: {marketingPerDay: 0, quietFrom: "25:00"}) { marketingPerDay }': [
    ...['input.marketingPerDay', 'input.quietFrom'],
  ],
  'createJourney(input: {name: " ", definition: {}}) { id }': ['input.name', 'input.definition.entry'],
  'createPublishableKey(input: {name: " ", origins: ["a", "https://a.example", "b"]}) { secret }': [
    ...['input.name', 'input.origins[0]', 'input.origins[2]'],
  ],
  'awardPoints(memberId: "x", input: {amount: 5}) { id }': ['memberId'],
  'overrideTier(memberId: "x", tierId: "y", until: "2050-01-01T00:00:00Z", reason: "z") { id }': [
    'memberId',
    'tierId',
  ],
};

test.each(Object.entries(calls))('the graph names every wrong field of %s', async (call, fields) => {
  const { errors } = await stack.graph(`mutation { ${call} }`, {}, owner);
  expect(errors).toHaveLength(1);
  const { message, extensions } = errors![0]!;
  const faults = extensions['errors'] as readonly InputFault[];
  expect(faults.map(({ field }) => field)).toEqual(fields);
  expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: fields[0], reason: faults[0]!.code });
  expect(faults[0]!.message).toBe(message);
});

test('variables that do not fit are all named, by the first error', async () => {
  const { errors } = await stack.graph(
    'mutation ($id: ID!, $input: CreateStoreInput!) { createStore(input: $input) { id } deleteTier(id: $id) }',
    { input: { latitude: 'north', colour: 'red' } },
    owner,
  );
  const fields = ['id', 'input.name', 'input.address', 'input.latitude', 'input.colour'];
  expect(errors!.map(({ extensions }) => extensions['field'])).toEqual(fields);
  expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' });
  const faults = errors![0]!.extensions['errors'] as readonly InputFault[];
  expect(faults.map(({ field }) => field)).toEqual(fields);
});
