import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from './harness/stack.ts';

/**
 * After a mutation that ends a right was answered, the next call in this process must be checked with the new
 * rights.
 */
const stack = useStack();
let token: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
});

async function change(query: string, variables: object, as = token): Promise<void> {
  const { errors } = await stack.graph(query, variables, as);
  expect(errors).toBeUndefined();
}

/** Of `times` changes, the number after which the next call was still answered with the old rights. */
async function staleAnswers(times: number, turn: (n: number) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) if (await turn(n)) count += 1;
  return count;
}

/** The role of the user of a session. */
async function roleOf(credential: string): Promise<string | undefined> {
  const { data } = await stack.graph<{ viewer?: { role: string } }>('{ viewer { role } }', {}, credential);
  return data?.viewer?.role;
}

const invite = async (role: string) => {
  const email = `colleague.${Math.random()}@example.com`;
  const password = 'a long password of a colleague';
  await stack.rest('POST', '/api/v2/auth/register', { body: { email, password, name: 'Grace' } });
  const { data } = await stack.graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    token,
  );
  const workspaceId = data.viewer.workspace.id;
  await stack.services.database.sql.query(
    `INSERT INTO workspace.memberships (workspace_id, account_id, role, created_at)
     SELECT $1, id, $2::workspace."Role", now() FROM workspace.accounts ORDER BY id DESC LIMIT 1`,
    [workspaceId, role],
  );
  const signedIn = await stack.graph<{ login: { token: string } }>(
    'mutation ($input: LoginInput!) { login(input: $input) { token } }',
    { input: { email, password, workspaceId } },
  );
  const session = signedIn.data.login.token;
  const { data: own } = await stack.graph<{ viewer: { user: { id: string } } }>(
    '{ viewer { user { id } } }',
    {},
    session,
  );
  return { session, userId: own.viewer.user.id, email, password };
};

test('200 keys that are revoked answer no call after it', async () => {
  const read = (key: string) => stack.rest('GET', '/api/v2/members', { as: key });
  const count = await staleAnswers(200, async () => {
    const { id, secret } = await stack.key(token, ['members:read']);
    expect((await read(secret)).status).toBe(200);
    await change('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
    return (await read(secret)).status === 200;
  });
  expect(count).toBe(0);
});

test('200 switches of a module hold from the next call on', async () => {
  const { secret } = await stack.key(token, ['members:read']);
  const isOn = async () => {
    const { data } = await stack.graph<{ viewer: { modules: string[] } }>(
      '{ viewer { modules } }',
      {},
      secret,
    );
    return data.viewer.modules.includes('receipts');
  };
  const count = await staleAnswers(200, async (n) => {
    await isOn();
    const enabled = n % 2 === 0;
    await change('mutation ($on: Boolean!) { setModule(key: "receipts", enabled: $on) { key } }', {
      on: enabled,
    });
    return (await isOn()) !== enabled;
  });
  expect(count).toBe(0);
});

test('200 changes of a role hold from the next call on', async () => {
  const { session, userId } = await invite('ADMIN');
  const count = await staleAnswers(200, async (n) => {
    const role = n % 2 === 0 ? 'MEMBER' : 'ADMIN';
    await roleOf(session);
    await change(
      'mutation ($userId: ID!, $role: Role!) { setTeamRole(userId: $userId, role: $role) { id } }',
      {
        userId,
        role,
      },
    );
    return (await roleOf(session)) !== role;
  });
  expect(count).toBe(0);
});

test('200 sessions of members that are revoked answer no call after it', async () => {
  const { data } = await stack.graph<{ createMember: { id: string } }>(
    'mutation { createMember(input: { email: "bo@example.com", fullName: "Bo" }) { id } }',
    {},
    token,
  );
  const { id } = data.createMember;
  const holds = async (session: string) => {
    const { data: seen } = await stack.graph<{ viewer?: { kind: string } }>(
      '{ viewer { kind } }',
      {},
      session,
    );
    return seen?.viewer?.kind === 'MEMBER';
  };
  const count = await staleAnswers(200, async () => {
    const { data: started } = await stack.graph<{ startMemberSession: { token: string } }>(
      'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
      { id },
      token,
    );
    const session = started.startMemberSession.token;
    expect(await holds(session)).toBe(true);
    await change('mutation ($id: ID!) { revokeMemberSessions(memberId: $id) }', { id });
    return holds(session);
  });
  expect(count).toBe(0);
});

test('a session ends with the password and with the membership, before the next call', async () => {
  const count = await staleAnswers(5, async (n) => {
    const { session, userId, password } = await invite('MEMBER');
    await roleOf(session);
    if (n % 2 === 0)
      await change('mutation ($userId: ID!) { removeTeamMember(userId: $userId) }', { userId });
    else {
      const input = { currentPassword: password, newPassword: `${password} ${n}` };
      await change(
        'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { token } }',
        { input },
        session,
      );
    }
    return (await roleOf(session)) !== undefined;
  });
  expect(count).toBe(0);
});
