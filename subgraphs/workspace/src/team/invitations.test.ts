import { describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven, PASSWORD, tokenIn } from '../workspace.fixture.ts';
import { getWorkspace } from '../workspaces/workspaces.service.ts';
import { acceptInvitation, findInvitationPage, inviteUser, revokeInvitation } from './invitations.service.ts';
import { claimInvitation, findByToken, setToken } from './invitations.store.ts';
import { removeTeamMember, setTeamRole, watchTeam } from './memberships.service.ts';
import { sendInvitationJob } from './team.jobs.ts';

const { services } = useServices();
const given = createGiven(services);

const INVITE = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { id email status } }';
const LIST = '{ invitations { totalCount nodes { email status invitedBy { name } } } }';

/** Runs the job like the worker, and returns the token in the mail. */
async function mailedToken(ctx: Context, invitationId: string): Promise<string> {
  await sendInvitationJob.run(given.as(systemCaller('worker', ctx.scope)), { invitationId });
  return tokenIn((await given.mails()).at(-1));
}

async function invited(
  ctx: Context,
  email: string,
  role: 'OWNER' | 'ADMIN' | 'MEMBER' = 'MEMBER',
): Promise<string> {
  return mailedToken(ctx, (await inviteUser(ctx, { email, role })).id);
}

test('who watches the team hears of each change of it and of its invitations, in this workspace only', async () => {
  const { ctx } = await given.owner();
  const { id: userId } = await given.colleague(ctx, 'MEMBER');
  const elsewhere = await given.owner();
  const [team, other] = [watchTeam(given.as(ctx.caller)), watchTeam(given.as(elsewhere.ctx.caller))];
  const othersFirst = other.next();
  const invitation = { id: '' };
  const invite = async () => {
    invitation.id = (await inviteUser(ctx, { email: elsewhere.email, role: 'MEMBER' })).id;
  };
  const changes = [
    () => setTeamRole(given.as(ctx.caller), userId, 'ADMIN'),
    () => removeTeamMember(given.as(ctx.caller), userId),
    invite,
    () => revokeInvitation(ctx, invitation.id),
    invite,
    async () =>
      acceptInvitation(elsewhere.ctx, { token: await mailedToken(ctx, invitation.id), password: PASSWORD }),
  ];
  for (const change of changes) {
    await change();
    expect(await team.next()).toMatchObject({ done: false, value: expect.any(Date) });
  }
  await Promise.all([team.return?.(), other.return?.()]);
  expect(await othersFirst).toMatchObject({ done: true });
});

describe('accepting an invitation', () => {
  test('makes an account without a workspace of its own, and signs in with the role invited to', async () => {
    const { ctx, workspaceId } = await given.owner();
    const token = await invited(ctx, 'joins@example.com', 'ADMIN');
    const session = await acceptInvitation(given.nobody(), {
      token,
      name: 'Grace Hopper',
      password: PASSWORD,
    });
    const { ctx: joined } = { ctx: await given.contextOf(session.token) };
    expect(joined.caller).toMatchObject({ workspaceId, role: 'ADMIN' });
    const { data } = await given.run(
      joined,
      '{ viewer { user { name email memberships { role workspace { id } } } } }',
    );
    const memberships = [{ role: 'ADMIN', workspace: { id: workspaceId } }];
    expect(data).toEqual({
      viewer: { user: { name: 'Grace Hopper', email: 'joins@example.com', memberships } },
    });
  });

  test('says before whose team it is, and whether the address has an account', async () => {
    const { ctx } = await given.owner();
    const { name: workspaceName } = await getWorkspace(ctx);
    const token = await invited(ctx, 'asks@example.com');
    const page = () => findInvitationPage(given.nobody(), token);
    expect(await page()).toEqual({ workspaceName, hasAccount: false });
    const other = await given.owner();
    await acceptInvitation(given.nobody(), {
      token: await invited(other.ctx, 'asks@example.com'),
      name: 'Grace',
      password: PASSWORD,
    });
    expect(await page()).toEqual({ workspaceName, hasAccount: true });
    await acceptInvitation(given.nobody(), { token, password: PASSWORD });
    expect(await page()).toBeNull();
    expect(await findInvitationPage(given.nobody(), 'no such token')).toBeNull();
  });

  test('works once, even for two callers at once', async () => {
    const { ctx } = await given.owner();
    const token = await invited(ctx, 'once@example.com');
    const accept = () => acceptInvitation(given.nobody(), { token, name: 'Grace', password: PASSWORD });
    const outcomes = await Promise.allSettled([accept(), accept()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(accept()).rejects.toMatchObject({ category: 'BAD_USER_INPUT', code: 'TOKEN_INVALID' });
  });

  test('for an address with an account needs that account', async () => {
    const { ctx, workspaceId } = await given.owner();
    const [guest, stranger] = [await given.owner(), await given.owner()];
    const token = await invited(ctx, guest.email);
    const wrong = acceptInvitation(given.nobody(), { token, name: 'Grace', password: 'wrong password' });
    await expect(wrong).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    await expect(acceptInvitation(stranger.ctx, { token })).rejects.toMatchObject({
      code: 'INVITATION_OF_ANOTHER',
    });
    const session = await acceptInvitation(guest.ctx, { token });
    expect((await given.contextOf(session.token)).caller).toMatchObject({
      actor: `user:${guest.id}`,
      workspaceId,
    });
  });

  test('is too late after 7 days', async () => {
    const { ctx } = await given.owner();
    const token = await invited(ctx, 'late@example.com');
    type Listed = { invitations: { nodes: { status: string }[] } };
    const status = async () => {
      const { data } = await given.run<Listed>(ctx, '{ invitations { nodes { status } } }');
      return data.invitations.nodes[0]?.status;
    };
    services.clock.advance(7 * DAY_MS - 1);
    expect(await status()).toBe('PENDING');
    services.clock.advance(1);
    expect(await status()).toBe('EXPIRED');
    const late = acceptInvitation(given.nobody(), { token, name: 'Grace', password: PASSWORD });
    await expect(late).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('is refused once the invitation was revoked, or another one sent', async () => {
    const { ctx } = await given.owner();
    const first = await invited(ctx, 'again@example.com');
    const { id } = await inviteUser(ctx, { email: 'again@example.com', role: 'MEMBER' });
    const second = await mailedToken(ctx, id);
    await given.run(ctx, 'mutation ($id: ID!) { revokeInvitation(id: $id) { status } }', { id });
    for (const token of [first, second]) {
      const attempt = acceptInvitation(given.nobody(), { token, name: 'Grace', password: PASSWORD });
      await expect(attempt).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    }
  });
});

test.each([
  ['until its last millisecond', 7 * DAY_MS - 1, true],
  ['no longer', 7 * DAY_MS, false],
])('an invitation gets a token, is found and is claimed %s', async (_, afterMs, isOpen) => {
  const { ctx } = await given.owner();
  const { id } = await inviteUser(ctx, { email: 'brief@example.com', role: 'MEMBER' });
  expect(await setToken(ctx, id, `first-${id}`)).not.toBeNull();
  services.clock.advance(afterMs);
  const found = [await findByToken(ctx, `first-${id}`), await setToken(ctx, id, `second-${id}`)];
  expect(found.map((each) => each !== null)).toEqual([isOpen, isOpen]);
  expect(await claimInvitation(ctx, id, `${isOpen ? 'second' : 'first'}-${id}`)).toBe(isOpen);
});

describe('inviting', () => {
  test('an owner is for owners', async () => {
    const { ctx } = await given.owner();
    const { ctx: admin } = await given.colleague(ctx, 'ADMIN');
    const input = { email: 'boss@example.com', role: 'OWNER' };
    expect(await given.run(admin, INVITE, { input })).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'ROLE_REQUIRED',
    });
    expect((await given.run(ctx, INVITE, { input })).data).toMatchObject({
      inviteUser: { status: 'PENDING' },
    });
  });

  test('somebody of the team is refused', async () => {
    const { ctx, email } = await given.owner();
    const refused = await given.run(ctx, INVITE, { input: { email, role: 'MEMBER' } });
    expect(refused).toMatchObject({ code: 'CONFLICT', reason: 'ALREADY_TEAM_MEMBER' });
  });

  test('is published as an event and listed with who invited', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { id } = await inviteUser(ctx, { email: 'listed@example.com', role: 'MEMBER' });
    const events = await services.database.sql.query(
      `SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = 'workspace.invitation_created'`,
      [workspaceId],
    );
    expect(events).toEqual([{ payload: { invitationId: id } }]);
    const nodes = [{ email: 'listed@example.com', status: 'PENDING', invitedBy: { name: 'Ada' } }];
    expect((await given.run(ctx, LIST)).data).toEqual({ invitations: { totalCount: 1, nodes } });
  });
});
