import { expect, test } from '@jest/globals';
import { access, rows, schema } from '../adapter.fixture.ts';
import { faults, operationsOf, schemasOf, structureFaults } from './openapi.fixture.ts';
import { openApi } from './openapi.ts';

const document = openApi('v2', { rows, schema, access });
const at = schemasOf(document);
const described = (id: string) =>
  operationsOf(document).find(({ operation }) => operation.operationId === id)!;
const parameterOf = (id: string, name: string) =>
  described(id).operation.parameters.find((one: { name: string }) => one.name === name);
const bodyOf = (id: string) => at(`${described(id).pointer}/requestBody/content/application~1json/schema`);
const replyOf = (id: string, status = 200) =>
  at(`${described(id).pointer}/responses/${status}/content/application~1json/schema`);
const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
const member = { id, email: null, status: 'active', current_tier_id: null };

test('the document is sound: ids are unique, references lead somewhere, paths name their parameters', () => {
  expect(structureFaults(document)).toEqual([]);
});

test('a table is described once in a process; an address is in a document of its own', () => {
  const options = { rows, schema, access };
  expect(openApi('v2', options)).toBe(document);
  const addressed = openApi('v2', { ...options, url: 'https://loyalty.example.com/' });
  expect(addressed).toEqual({
    ...document,
    info: {
      ...document.info,
      contact: { name: 'Loyalty Platform', url: 'https://loyalty.example.com/docs' },
    },
    servers: [{ ...document.servers[0], url: 'https://loyalty.example.com' }],
  });
  expect([document.servers[0]!['url'], document.info['contact']]).toEqual([
    '/',
    { name: 'Loyalty Platform' },
  ]);
  const fewer = { ...options, rows: rows.slice(0, 1) };
  expect([operationsOf(openApi('v2', fewer)).length, openApi('v1', options).paths]).toEqual([
    1,
    { '/api/v1/tiers': expect.anything() },
  ]);
});

test('nobody can change a document that others are served', () => {
  expect(() => Object.assign(document.info, { title: 'Another' })).toThrow(TypeError);
  expect(() => Object.assign(document.paths['/api/v2/members']!['get']!, { summary: '' })).toThrow(TypeError);
});

test('every v2 row is one operation and v1 has none', () => {
  expect(operationsOf(document).length).toBe(rows.length - 1);
  expect(Object.keys(document.paths)).not.toContain('/api/v1/tiers');
});

test('an operation has the name of its document, the noun of its path and the descriptions of the graph', () => {
  expect(described('GetMember').operation).toMatchObject({
    operationId: 'GetMember',
    tags: ['members'],
    summary: 'One member, unmasked',
  });
  expect(described('AddDevice').operation.tags).toEqual(['web-push']);
});

test('path ids are required UUIDs', () => {
  expect(parameterOf('MemberPoints', 'memberId')).toEqual({
    name: 'memberId',
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  });
});

test('pages have defaults and bounds', () => {
  expect(parameterOf('ListMembers', 'limit')).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', default: 50, minimum: 1, maximum: 200 },
  });
  expect(parameterOf('ListMembers', 'offset').schema).toMatchObject({ default: 0, minimum: 0 });
  expect(parameterOf('MemberPoints', 'limit').schema).toMatchObject({ default: 10, maximum: 200 });
});

test('enum values are in lower case and null is not among those of a query', () => {
  expect(parameterOf('ListMembers', 'status').schema).toMatchObject({
    type: 'string',
    enum: ['active', 'deactivation_pending'],
  });
});

test('a body is checked: required fields, types, nothing unknown', () => {
  expect(
    faults(bodyOf('CreateMember'), { email: 'a@b.c', fullName: 'Ada', birthDate: null, status: 'active' }),
  ).toEqual([]);
  expect(faults(bodyOf('CreateMember'), { email: 'a@b.c' })).not.toEqual([]);
  expect(faults(bodyOf('CreateMember'), { email: 'a@b.c', fullName: 'Ada', age: 5 })).not.toEqual([]);
  expect(faults(bodyOf('CreateMember'), { email: 'a@b.c', fullName: 'Ada', status: 'ACTIVE' })).not.toEqual(
    [],
  );
  expect(faults(bodyOf('AwardPoints'), { amount: 0 })).not.toEqual([]);
});

test('another spelling satisfies what is required', () => {
  expect(faults(bodyOf('CreateMember'), { email: 'a@b.c', name: 'Ada' })).toEqual([]);
});

test('inputs that hold themselves are described once', () => {
  const body = {
    endpoint: 'https://a',
    keys: { p256dh: 'p', auth: 'a' },
    rules: [{ status: 'active', any: [{ status: 'active' }] }],
  };
  expect(faults(bodyOf('AddDevice'), body)).toEqual([]);
  expect(faults(bodyOf('AddDevice'), { ...body, rules: [{ status: 'active', any: [{}] }] })).not.toEqual([]);
});

test('an operation without fields has no body, and a DELETE has the documented one', () => {
  expect(described('ConfirmEmail').operation.requestBody).toBeUndefined();
  expect(described('RemoveDevice').operation.requestBody.required).toBe(true);
});

test('a reply is described as it is shaped', () => {
  expect(faults(replyOf('GetMember'), member)).toEqual([]);
  expect(faults(replyOf('GetMember'), { ...member, status: 'ACTIVE' })).not.toEqual([]);
  expect(faults(replyOf('GetMember'), { ...member, current_tier_id: { id } })).not.toEqual([]);
  expect(faults(replyOf('ListMembers'), { members: [member], total: 1 })).toEqual([]);
  expect(faults(replyOf('CreateMember', 201), member)).toEqual([]);
  expect(faults(replyOf('Unsubscribe'), { data: { email: 'a@b.c' } })).toEqual([]);
});

test('bare nodes are a list, spread replies stand beside other fields', () => {
  expect(
    faults(replyOf('MemberPoints'), {
      memberId: id,
      transactions: [
        { id, amount: 5, kind: 'award' },
        { id, amount: 5, kind: null },
      ],
    }),
  ).toEqual([]);
  expect(faults(replyOf('MemberPoints'), { memberId: id, transactions: { nodes: [] } })).not.toEqual([]);
  const tier = { id, name: 'Silver', status: 'active' };
  expect(faults(replyOf('MemberTier'), { currentTier: null, allTiers: [tier] })).toEqual([]);
  expect(faults(replyOf('MemberTier'), { allTiers: [tier] })).not.toEqual([]);
});

test('a value that stands for its parent has its own description', () => {
  const { properties } =
    described('MemberPrediction').operation.responses['200'].content['application/json'].schema;
  expect(properties.next_on).toEqual({
    type: ['string', 'null'],
    format: 'date',
    description: 'The day of the next order.',
  });
  expect(properties.chance.description).toBeUndefined();
  expect(properties.home_tier_id.description).toBe('Where it began.');
});

test('clauses for clients of the graph are left out', () => {
  const { total } =
    described('ListMembers').operation.responses['200'].content['application/json'].schema.properties;
  expect(total.description).toBe('All of them.');
  expect(described('AwardPoints').operation.description).toMatch(
    /^Adds points; `active` members alone\. A key needs/,
  );
});

test('types that show their id are named once', () => {
  expect(Object.keys(document.components['schemas']!)).toEqual(
    expect.arrayContaining(['Member', 'Tier', 'DeviceKeys', 'DeviceRule', 'Error', 'Problem']),
  );
});

test('needed scopes are said to machines and to people', () => {
  const { operation } = described('AwardPoints');
  expect(operation['x-required-scopes']).toEqual([['points:write'], ['members:write']]);
  expect(operation.description).toContain('A key needs the scope points:write, or members:write.');
});

test('what several fields ask is asked together, without repetition', () => {
  expect(described('MemberTier').operation['x-required-scopes']).toEqual([['members:read']]);
});

test('role, module, mode and session are said', () => {
  expect(described('ConfirmEmail').operation.description).toMatch(/role admin.*Refused in test mode\./);
  expect(described('AddDevice').operation.description).toMatch(
    /module web-push.*Only with a member session\./,
  );
});

test('a credential is asked where one is needed', () => {
  expect(described('GetMember').operation.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(described('AddDevice').operation.security).toEqual([{ bearer: [] }]);
  expect(described('Login').operation.security).toEqual([{}, { bearer: [] }]);
});

test('every operation lists the errors that fit', () => {
  const statuses = (name: string) => Object.keys(described(name).operation.responses);
  const refused = ['400', '401', '403'];
  // A POST may be a repetition whose answer was erased.
  const change = ['409', '410', '413', '415'];
  const any = ['429', '503', 'default'];
  expect(statuses('ListMembers')).toEqual(['200', ...refused, '404', ...any]);
  expect(statuses('GetMember')).toEqual(['200', ...refused, '404', ...any]);
  expect(statuses('AwardPoints')).toEqual(['200', ...refused, '404', ...change, ...any]);
  expect(statuses('CreateMember')).toEqual(['201', ...refused, '404', ...change, ...any]);
  expect(statuses('Unsubscribe')).toEqual(['200', ...refused, ...change, ...any]);
});

test('errors have the v2 body and its headers', () => {
  const { RateLimited } = document.components['responses'] as Record<
    string,
    { headers: object; content: Record<string, unknown> }
  >;
  expect(Object.keys(RateLimited!.headers)).toEqual([
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    'X-Error-Code',
    'Retry-After',
  ]);
  const check = at('/components/schemas/Error');
  expect([faults(check, { error: 'No.' }), faults(check, { error: { code: 'A' } }).length]).toEqual([[], 1]);
});

test('the parts of an error in RFC 9457 are typed', () => {
  const check = at('/components/schemas/Problem');
  const errors = [{ pointer: '#/amount', code: 'VALIDATION_FAILED', detail: 'amount is required.' }];
  const problem = {
    type: 'https://loyalty.example.com/docs/errors/VALIDATION_FAILED',
    title: 'Bad Request',
    status: 400,
    detail: 'No.',
    code: 'A',
  };
  expect(faults(check, { ...problem, instance: 'r', errors })).toEqual([]);
  expect(faults(check, { ...problem, instance: 'r', errors: [{ code: 5 }] })).toHaveLength(3);
});

test('a POST may carry an Idempotency-Key, nothing else may', () => {
  const reference = { $ref: '#/components/parameters/IdempotencyKey' };
  for (const { method, operation } of operationsOf(document)) {
    expect([operation.operationId, operation.parameters.some((one: object) => '$ref' in one)]).toEqual([
      operation.operationId,
      method === 'post',
    ]);
  }
  expect(described('AwardPoints').operation.parameters).toContainEqual(reference);
});

test('the version and the policy of changes are published', () => {
  expect(document.info).toMatchObject({
    version: '2.0.0',
    description: expect.stringMatching(/12 months.*`Deprecation` and `Sunset`/s),
  });
});
