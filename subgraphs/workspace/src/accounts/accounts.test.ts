import { describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven, PASSWORD } from '../workspace.fixture.ts';

const { services } = useServices();
const given = createGiven(services);

const REGISTER = `mutation ($input: RegisterInput!) {
  register(input: $input) { id name email createdAt memberships { role workspace { id name } } } }`;

const input = (email: string) => ({ email, password: PASSWORD, name: 'Ada Lovelace' });

interface Registered {
  register: {
    id: string;
    name: string;
    email: string;
    memberships: { role: string; workspace: { id: string; name: string } }[];
  };
}

describe('registering', () => {
  test('makes an account, its workspace and the ownership of it', async () => {
    const { data } = await given.run<Registered>(given.nobody(), REGISTER, {
      input: input(' New@Example.com '),
    });
    expect(data.register).toMatchObject({
      name: 'Ada Lovelace',
      email: 'new@example.com',
      memberships: [{ role: 'OWNER', workspace: { name: "Ada Lovelace's workspace" } }],
    });
  });

  test('publishes the event inside the new workspace, with ids only', async () => {
    const { data } = await given.run<Registered>(given.nobody(), REGISTER, {
      input: input('event@example.com'),
    });
    const workspaceId = data.register.memberships[0]!.workspace.id;
    const events = await services.database.sql.query(
      'SELECT type, mode, payload FROM platform.outbox WHERE workspace_id = $1',
      [workspaceId],
    );
    const payload = { workspaceId, accountId: data.register.id };
    expect(events).toEqual([{ type: 'workspace.registered', mode: 'LIVE', payload }]);
  });

  test('of one address twice at once makes one account and one workspace', async () => {
    const before = await countOf('workspace.workspaces');
    const outcomes = await Promise.all(
      ['twice@example.com', 'Twice@example.com'].map((email) =>
        given.run<Registered>(given.nobody(), REGISTER, { input: input(email) }),
      ),
    );
    expect(outcomes.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(outcomes.find(({ errors }) => errors)).toMatchObject({
      code: 'CONFLICT',
      reason: 'ACCOUNT_EXISTS',
    });
    expect((await countOf('workspace.workspaces')) - before).toBe(1);
  });

  test('keeps neither the address nor the name nor the password readable', async () => {
    await given.run(given.nobody(), REGISTER, { input: input('sealed@example.com') });
    const rows = await services.database.sql.query<{ text: string }>(
      `SELECT row_to_json(a)::text || encode(email_sealed || name_sealed, 'escape') AS text FROM workspace.accounts a`,
    );
    const everything = rows.map(({ text }) => text).join('\n');
    for (const secret of ['sealed@example.com', 'Lovelace', PASSWORD])
      expect(everything).not.toContain(secret);
  });

  test.each([
    ['too short', 'short'],
    ['known to everybody', 'Password123'],
    ['of two letters', 'abababababab'],
    ['the address', 'weak@example.com'],
  ])('with a password that is %s is refused', async (_, password) => {
    const refused = await given.run(given.nobody(), REGISTER, {
      input: { ...input('weak@example.com'), password },
    });
    expect(refused).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'PASSWORD_WEAK',
      field: 'input.password',
    });
    expect(refused.errors?.[0]?.message).not.toContain(password);
  });
});

describe('profiles', () => {
  const UPDATE =
    'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { name email avatarUrl } }';

  test('what is absent stays, and null removes the picture', async () => {
    const { ctx, email } = await given.owner();
    const avatarUrl = 'https://example.com/a.png';
    const first = await given.run(ctx, UPDATE, { input: { name: 'Ada King', avatarUrl } });
    expect(first.data).toEqual({ updateProfile: { name: 'Ada King', email, avatarUrl } });
    const second = await given.run(ctx, UPDATE, { input: { avatarUrl: null } });
    expect(second.data).toEqual({ updateProfile: { name: 'Ada King', email, avatarUrl: null } });
  });

  test('a picture that is no https address is refused', async () => {
    const { ctx } = await given.owner();
    const refused = await given.run(ctx, UPDATE, { input: { avatarUrl: 'javascript:alert(1)' } });
    expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.avatarUrl' });
  });
});

describe('a user as a reference', () => {
  const ENTITY = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) {
    ... on User { name email memberships { workspace { id } } } } }`;

  test('of another workspace is null', async () => {
    const [mine, foreign] = [await given.owner(), await given.owner()];
    expect((await given.run(mine.ctx, ENTITY, { id: foreign.id })).data).toEqual({ _entities: [null] });
  });

  test('shows a colleague the name only', async () => {
    const { id, ctx } = await given.owner();
    const { ctx: member } = await given.colleague(ctx, 'MEMBER');
    const { data } = await given.run(member, ENTITY, { id });
    expect(data).toEqual({ _entities: [{ name: 'Ada', email: null, memberships: null }] });
  });

  test('shows an admin the address, and no other workspace of the person', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { id, email } = await given.colleague(ctx, 'MEMBER');
    const { data } = await given.run(ctx, ENTITY, { id });
    expect(data).toEqual({
      _entities: [{ name: 'Grace', email, memberships: [{ workspace: { id: workspaceId } }] }],
    });
  });
});

async function countOf(table: string): Promise<number> {
  const [row] = await services.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return row!.n;
}
