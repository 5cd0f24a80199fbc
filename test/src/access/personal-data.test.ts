import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';
import { refusalOf } from './refused.ts';

const stack = useStack();
let token: string;
let memberId: string;
beforeAll(async () => {
  ({ token } = await stack.signUp());
  const body = { email: 'jane@example.com', fullName: 'Jane Doe', phone: '+351912345678' };
  memberId = (await stack.rest('POST', '/api/v2/members', { as: token, body })).body.id;
});

const keyOf = async (...scopes: string[]) => (await stack.key(token, scopes)).secret;

describe('personal data of a member', () => {
  const CHANGE = `mutation ($id: ID!) {
    updateMember(id: $id, input: {}) { email name phone birthOn status pointsBalance customAttributes } }`;
  const masked = { email: 'j***@e***.com', name: 'J. D.', phone: '***78' };

  test('is masked in the answer of a mutation to a key with members:write alone, over REST as well', async () => {
    const key = await keyOf('members:write');
    const { data } = await stack.graph<{ updateMember: object }>(CHANGE, { id: memberId }, key);
    expect(data.updateMember).toMatchObject({ ...masked, status: 'ACTIVE' });
    const body = { email: 'ann@example.com', fullName: 'Ann Smith' };
    const created = await stack.rest('POST', '/api/v2/members', { as: key, body });
    expect(created).toMatchObject({ status: 201, body: { email: 'a***@e***.com', name: 'A. S.' } });
    const changed = await stack.rest('PATCH', `/api/v2/members/${memberId}`, {
      as: key,
      body: { phone: '5551278' },
    });
    expect(changed).toMatchObject({ status: 200, body: { email: masked.email, name: masked.name } });
  });

  test('is masked in every mutation that answers with a member', async () => {
    const key = await keyOf('members:write');
    const answers = [
      'tagMember(memberId: $id, key: "vip")',
      'untagMember(memberId: $id, key: "vip")',
      'setMemberStatus(id: $id, status: ACTIVE)',
      'setMemberConsent(memberId: $id, purpose: PROFILING, granted: true)',
      'restrictProcessing(memberId: $id, isRestricted: true)',
      'requestErasure(memberId: $id)',
      'cancelErasure(memberId: $id)',
      'updateMember(id: $id, input: {})',
    ];
    for (const answer of answers) {
      const query = `mutation ($id: ID!) { member: ${answer} { email name } }`;
      const { data, errors } = await stack.graph(query, { id: memberId }, key);
      expect({ answer, data, errors }).toEqual({
        answer,
        data: { member: { email: masked.email, name: masked.name } },
        errors: undefined,
      });
    }
  });

  test('is unmasked for a key that may also read members', async () => {
    const key = await keyOf('members:write', 'members:read');
    const { data } = await stack.graph(CHANGE, { id: memberId }, key);
    expect(data).toMatchObject({ updateMember: { email: 'jane@example.com', name: 'Jane Doe' } });
  });

  test('is unmasked in lists of the graph only for signed-in users; REST masks lists for everybody', async () => {
    const LIST = '{ members(search: "jane doe") { nodes { email name phone } } }';
    const listed = async (as: string) =>
      (await stack.graph<{ members: { nodes: object[] } }>(LIST, {}, as)).data.members.nodes;
    expect(await listed(token)).toEqual([
      { email: 'jane@example.com', name: 'Jane Doe', phone: expect.any(String) },
    ]);
    const key = await keyOf('members:read');
    expect(await listed(key)).toEqual([
      { email: masked.email, name: masked.name, phone: expect.any(String) },
    ]);
    for (const as of [token, key]) {
      const { body } = await stack.rest('GET', '/api/v2/members', { as });
      expect(body.members).toContainEqual(
        expect.objectContaining({ email: masked.email, name: masked.name }),
      );
      expect(JSON.stringify(body)).not.toContain('Jane');
    }
  });

  test('cannot be read in another way: neither an export nor a session for the member unmasks it', async () => {
    const key = await keyOf('members:write');
    const exported = await stack.graph(
      'query ($id: ID!) { memberExport(id: $id) { status content } }',
      { id: randomUUID() },
      key,
    );
    expect(refusalOf(exported)).toEqual([403, 'SCOPE_MISSING', 'memberExport.content']);
    const started = await stack.graph<{ startMemberSession: { token: string } }>(
      'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
      { id: memberId },
      key,
    );
    const { data } = await stack.graph(
      `mutation ($id: ID!) {
        setMemberConsent(memberId: $id, purpose: PROFILING, granted: false) { email name } }`,
      { id: memberId },
      started.data.startMemberSession.token,
    );
    expect(data).toEqual({ setMemberConsent: { email: masked.email, name: masked.name } });
  });
});

test("a member's session reads the member's own data, but nothing that the team keeps about the member", async () => {
  const { data } = await stack.graph<{ startMemberSession: { token: string } }>(
    'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
    { id: memberId },
    token,
  );
  const session = data.startMemberSession.token;
  const consent = (selection: string) =>
    stack.graph(
      `mutation ($id: ID!) {
        setMemberConsent(memberId: $id, purpose: PROFILING, granted: true) { id ${selection} } }`,
      { id: memberId },
      session,
    );
  const own =
    'status pointsBalance consents { purpose } coupons { nodes { code } } tier { name } visits { totalCount }';
  expect((await consent(own)).errors).toBeUndefined();
  for (const field of [
    'tags { addedAt }',
    'orders { totalCount }',
    'coupons { nodes { capture { email } } }',
  ]) {
    expect(refusalOf(await consent(field)).slice(0, 2)).toEqual([403, 'CALLER_REFUSED']);
  }
  const viewer = await stack.graph(
    '{ viewer { kind workspace { name } user { name } apiKey { name } } }',
    {},
    session,
  );
  expect(viewer.errors).toBeUndefined();
});
