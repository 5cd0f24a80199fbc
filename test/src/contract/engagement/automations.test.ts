import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
const PATH = '/api/v2/automations';
const CREATE = `mutation ($input: CreateAutomationInput!) { createAutomation(input: $input) { id } }`;
const ACTIVATE = `mutation ($id: ID!) { activateAutomation(id: $id) { id } }`;
let token: string;
let key: string;
let id: string;
let draft: string;

async function createOne(name: string): Promise<string> {
  const input = { name, trigger: { kind: 'member_created' }, actions: [{ type: 'addTag', tag: 'welcome' }] };
  const { data } = await stack.graph<{ createAutomation: { id: string } }>(CREATE, { input }, token);
  return data.createAutomation.id;
}

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token, ['automations:read', 'automations:write', 'members:write', 'members:read']))
    .secret;
  id = await createOne('Welcome');
  draft = await createOne('Later');
  await stack.graph(ACTIVATE, { id }, token);
});

const list = (as = key, query = '') => stack.rest('GET', `${PATH}${query}`, { as });
const patch = (to: string, body: object, as = key) => stack.rest('PATCH', `${PATH}/${to}`, { as, body });
const shape = {
  id: shapes.uuid,
  name: 'Welcome',
  trigger: { kind: 'member_created' },
  status: 'active',
  entered: 0,
  created_at: shapes.instant,
};

test('GET /automations lists them, newest first, with status in lower case', async () => {
  const { status, body } = await list();
  expect({ status, body }).toEqual({
    status: 200,
    body: { automations: [{ ...shape, name: 'Later', status: 'draft' }, shape], total: 2 },
  });
  expect((await list(key, '?status=draft&limit=1')).body).toMatchObject({
    automations: [{ id: draft }],
    total: 1,
  });
  expectError(await list(key, '?limt=1'), 400, 'UNKNOWN_FIELD', 'limt');
});

test('PATCH /automations/{id} pauses and resumes, in both spellings', async () => {
  for (const [body, state] of [
    [{ status: 'paused' }, 'paused'],
    [{ status: 'active' }, 'active'],
    [{ action: 'pause' }, 'paused'],
    [{ action: 'resume' }, 'active'],
  ] as const) {
    const answer = await patch(id, body);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { data: { ...shape, status: state } },
    });
  }
});

test('a draft, a foreign id and anything else are refused', async () => {
  expectError(await patch(draft, { status: 'active' }), 409, 'AUTOMATION_IS_DRAFT', 'Activate it');
  const other = await stack.signUp();
  const theirs = (await stack.key(other.token, ['automations:write', 'automations:read'])).secret;
  expectError(await patch(id, { status: 'paused' }, theirs), 404, 'AUTOMATION_NOT_FOUND', id);
  expectError(await patch('nothing', { status: 'paused' }), 404, 'AUTOMATION_NOT_FOUND', 'nothing');
  expect((await patch(id, { status: 'draft' })).status).toBe(400);
  expect((await patch(id, { name: 'x' })).status).toBe(400);
  expectError(await patch(id, { status: 'paused', name: 'x' }), 400, 'UNKNOWN_FIELD', 'name');
  const reader = (await stack.key(token, ['automations:read'])).secret;
  expectError(await patch(id, { status: 'paused' }, reader), 403, 'SCOPE_MISSING', 'automations:write');
  expect((await list()).body.automations[1].status).toBe('active');
});

test('a member who joins is greeted by the automation, and counted', async () => {
  await stack.work();
  const { body } = await stack.rest('POST', '/api/v2/members', {
    as: key,
    body: { email: 'bo@example.com' },
  });
  await eventually(async () => {
    const tags = await stack.rest('GET', `/api/v2/members/${body.id}/tags`, { as: key });
    expect(JSON.stringify(tags.body)).toContain('welcome');
  });
  expect((await list()).body.automations[1]).toMatchObject({ name: 'Welcome', entered: 1 });
});
