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

test('the document is valid: ids are unique, references exist, paths name their parameters', () => {
  expect(structureFaults(document)).toEqual([]);
});

test('the document of a table is created once in a process; an address is in a copy of it', () => {
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

test('the shared document cannot be changed', () => {
  expect(() => Object.assign(document.info, { title: 'Another' })).toThrow(TypeError);
  expect(() => Object.assign(document.paths['/api/v2/members']!['get']!, { summary: '' })).toThrow(TypeError);
});

test('every v2 row is one operation, and v1 rows are left out', () => {
  expect(operationsOf(document).length).toBe(rows.length - 1);
  expect(Object.keys(document.paths)).not.toContain('/api/v1/tiers');
});

test('an operation has the name of its document, the noun of its path and a summary from the graph', () => {
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

test('paging parameters have defaults and bounds', () => {
  expect(parameterOf('ListMembers', 'limit')).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', default: 50, minimum: 1, maximum: 200 },
  });
  expect(parameterOf('ListMembers', 'offset').schema).toMatchObject({ default: 0, minimum: 0 });
  expect(parameterOf('MemberPoints', 'limit').schema).toMatchObject({ default: 10, maximum: 200 });
});

test('the enum values of a query parameter are in lower case, without null', () => {
  expect(parameterOf('ListMembers', 'status').schema).toMatchObject({
    type: 'string',
    enum: ['active', 'deactivation_pending'],
  });
});

test('the schema of a body checks required fields and types, and refuses unknown fields', () => {
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

test('another spelling of a required field satisfies the schema', () => {
  expect(faults(bodyOf('CreateMember'), { email: 'a@b.c', name: 'Ada' })).toEqual([]);
});

test('the schema of an input that contains itself checks every level', () => {
  const body = {
    endpoint: 'https://a',
    keys: { p256dh: 'p', auth: 'a' },
    rules: [{ status: 'active', any: [{ status: 'active' }] }],
  };
  expect(faults(bodyOf('AddDevice'), body)).toEqual([]);
  expect(faults(bodyOf('AddDevice'), { ...body, rules: [{ status: 'active', any: [{}] }] })).not.toEqual([]);
});

test('an operation without fields has no body, and a DELETE with fields requires one', () => {
  expect(described('ConfirmEmail').operation.requestBody).toBeUndefined();
  expect(described('RemoveDevice').operation.requestBody.required).toBe(true);
});

test('the schema of a reply accepts only the documented shape', () => {
  expect(faults(replyOf('GetMember'), member)).toEqual([]);
  expect(faults(replyOf('GetMember'), { ...member, status: 'ACTIVE' })).not.toEqual([]);
  expect(faults(replyOf('GetMember'), { ...member, current_tier_id: { id } })).not.toEqual([]);
  expect(faults(replyOf('ListMembers'), { members: [member], total: 1 })).toEqual([]);
  expect(faults(replyOf('CreateMember', 201), member)).toEqual([]);
  expect(faults(replyOf('Unsubscribe'), { data: { email: 'a@b.c' } })).toEqual([]);
});

test('a single `nodes` is described as a list, and `reply` beside other root fields', () => {
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

test('a value that replaces its object has its own description, an id that of the object', () => {
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

test('clauses that only clients of the graph need are left out', () => {
  const { total } =
    described('ListMembers').operation.responses['200'].content['application/json'].schema.properties;
  expect(total.description).toBe('All of them.');
  expect(described('AwardPoints').operation.description).toMatch(
    /^Adds points; `active` members alone\. A key needs/,
  );
});

test('types with their id and input types are named schemas', () => {
  expect(Object.keys(document.components['schemas']!)).toEqual(
    expect.arrayContaining(['Member', 'Tier', 'DeviceKeys', 'DeviceRule', 'Error', 'Problem']),
  );
});

test('the needed scopes are listed for programs and described for people', () => {
  const { operation } = described('AwardPoints');
  expect(operation['x-required-scopes']).toEqual([['points:write'], ['members:write']]);
  expect(operation.description).toContain('A key needs the scope points:write, or members:write.');
});

test('scopes that several fields need are listed once', () => {
  expect(described('MemberTier').operation['x-required-scopes']).toEqual([['members:read']]);
});

test('the description names the needed role, module, mode and session', () => {
  expect(described('ConfirmEmail').operation.description).toMatch(/role admin.*Refused in test mode\./);
  expect(described('AddDevice').operation.description).toMatch(
    /module web-push.*Only with a member session\./,
  );
});

test('an operation lists the credentials that it accepts', () => {
  expect(described('GetMember').operation.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(described('AddDevice').operation.security).toEqual([{ bearer: [] }]);
  expect(described('Login').operation.security).toEqual([{}, { bearer: [] }]);
});

test('every operation lists its possible errors', () => {
  const statuses = (name: string) => Object.keys(described(name).operation.responses);
  const refused = ['400', '401', '403'];
  // A POST may repeat a call whose answer was erased.
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

test('the schema of an RFC 9457 error checks the types of its parts', () => {
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

test('the document publishes its version and the policy for changes', () => {
  expect(document.info).toMatchObject({
    version: '2.0.0',
    description: expect.stringMatching(/12 months.*`Deprecation` and `Sunset`/s),
  });
});
