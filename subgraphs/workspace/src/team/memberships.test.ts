import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import { useServices } from '@loyalty/test/harness/services';
import { createApiKey } from '../access/api-keys.service.ts';
import { createGiven } from '../workspace.fixture.ts';
import { removeTeamMember, setTeamRole } from './memberships.service.ts';

const { services } = useServices();
const given = createGiven(services);

const SET_ROLE =
  'mutation ($userId: ID!, $role: Role!) { setTeamRole(userId: $userId, role: $role) { id role user { name } } }';
const REMOVE = 'mutation ($userId: ID!) { removeTeamMember(userId: $userId) }';
const fresh = (ctx: Context) => given.as(ctx.caller);
const TEAM =
  'query ($first: Int) { teamMembers(first: $first) { totalCount nodes { role user { name email } } } }';

/**
 * Runs the second act while the first is done but not committed; returns both outcomes, as `done` or the
 * error's code.
 */
async function overlapping(
  ctx: Context,
  first: (tx: Context) => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  const outcomeOf = (act: Promise<unknown>) =>
    act.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  let later = Promise.resolve('not begun');
  const sooner = ctx.transaction(async (tx) => {
    await first(tx);
    later = outcomeOf(second());
    await Promise.race([later, untilLockWait()]);
  });
  return [await outcomeOf(sooner), await later];
}

/** Resolves as soon as a connection of this database waits for a lock. */
async function untilLockWait(): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (let poll = 0; poll < 1_000; poll += 1) {
    if ((await services.database.sql.query(sql)).length > 0) return;
  }
}

describe('the last owner', () => {
  test('can neither be demoted nor leave', async () => {
    const { ctx, id } = await given.owner();
    expect(await given.run(ctx, SET_ROLE, { userId: id, role: 'ADMIN' })).toMatchObject({
      code: 'CONFLICT',
      reason: 'LAST_OWNER',
    });
    expect(await given.run(ctx, REMOVE, { userId: id })).toMatchObject({ reason: 'LAST_OWNER' });
  });

  test('stays when two owners demote each other at once', async () => {
    const first = await given.owner();
    const second = await given.colleague(first.ctx, 'OWNER');
    const outcomes = await overlapping(
      first.ctx,
      (tx) => setTeamRole(tx, second.id, 'MEMBER'),
      () => setTeamRole(second.ctx, first.id, 'MEMBER'),
    );
    expect(outcomes).toEqual(['done', 'LAST_OWNER']);
  });

  test('stays when two owners leave at once', async () => {
    const first = await given.owner();
    const second = await given.colleague(first.ctx, 'OWNER');
    const outcomes = await overlapping(
      first.ctx,
      (tx) => removeTeamMember(tx, first.id),
      () => removeTeamMember(second.ctx, second.id),
    );
    expect(outcomes).toEqual(['done', 'LAST_OWNER']);
  });
});

describe('the keys of who leaves', () => {
  const KEYS = `query ($by: ID!) { apiKeys(createdById: $by) {
    totalCount nodes { name revokedAt createdBy { id } } } }`;
  const LEAVE = 'mutation ($userId: ID!) { removeTeamMember(userId: $userId, revokeKeys: true) }';
  const scopes = ['keys:manage', 'members:read'];

  /** Creates an admin with a live key, a test key, and a key that the live one created. */
  async function keyMaker(ctx: Context) {
    const admin = await given.colleague(ctx, 'ADMIN');
    const { secret } = await createApiKey(admin.ctx, { name: 'live', scopes });
    await createApiKey(admin.ctx, { name: 'test', scopes, mode: 'TEST' });
    await createApiKey(await given.contextOf(secret), { name: 'grandchild', scopes });
    return { ...admin, secret };
  }

  test('are listed by their maker before and after, and work on', async () => {
    const { ctx, id } = await given.owner();
    const admin = await keyMaker(ctx);
    const own = await createApiKey(ctx, { name: 'own', scopes });
    const listed = () => given.run<{ apiKeys: unknown }>(fresh(ctx), KEYS, { by: admin.id });
    const names = ['grandchild', 'test', 'live'];
    const keys = (createdBy: unknown) => ({
      totalCount: 3,
      nodes: names.map((name) => ({ name, revokedAt: null, createdBy })),
    });
    expect((await listed()).data).toEqual({ apiKeys: keys({ id: admin.id }) });
    await removeTeamMember(ctx, admin.id);
    expect((await listed()).data).toEqual({ apiKeys: keys(null) });
    expect((await given.contextOf(admin.secret)).caller.scopes).toEqual(['members:read']);
    const { data } = await given.run(fresh(ctx), KEYS, { by: id });
    expect(data).toMatchObject({ apiKeys: { nodes: [{ name: 'own' }] } });
    expect((await given.contextOf(own.secret)).caller.scopes).toEqual(scopes);
  });

  test('are revoked with the removal that says so, each audited, and no others', async () => {
    const { ctx } = await given.owner();
    const admin = await keyMaker(ctx);
    const own = await createApiKey(ctx, { name: 'own', scopes });
    expect((await given.run(ctx, LEAVE, { userId: admin.id })).data).toEqual({ removeTeamMember: admin.id });
    await expect(given.contextOf(admin.secret)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    const { data } = await given.run(fresh(ctx), KEYS, { by: admin.id });
    expect(data).toMatchObject({
      apiKeys: { nodes: [1, 2, 3].map(() => ({ revokedAt: expect.anything() })) },
    });
    expect((await given.contextOf(own.secret)).caller.scopes).toEqual(scopes);
    const audited = await services.database.sql.query(
      `SELECT 1 FROM platform.audit_entries WHERE workspace_id = $1 AND action = 'revokeApiKey'`,
      [ctx.scope.workspaceId],
    );
    expect(audited).toHaveLength(3);
  });

  test('are no matter of a member, nor of a removal that is refused', async () => {
    const { ctx, id } = await given.owner();
    const admin = await keyMaker(ctx);
    const member = await given.colleague(ctx, 'MEMBER');
    expect(await given.run(member.ctx, LEAVE, { userId: member.id })).toMatchObject({
      reason: 'ROLE_REQUIRED',
    });
    await createApiKey(ctx, { name: 'own', scopes });
    expect(await given.run(ctx, LEAVE, { userId: id })).toMatchObject({ reason: 'LAST_OWNER' });
    const { data } = await given.run(fresh(ctx), KEYS, { by: id });
    expect(data).toMatchObject({ apiKeys: { nodes: [{ revokedAt: null }] } });
    expect((await given.contextOf(admin.secret)).caller.scopes).toEqual(scopes);
  });
});

describe('roles', () => {
  test('an admin makes no owner and unmakes none', async () => {
    const { ctx, id } = await given.owner();
    const { ctx: admin, id: adminId } = await given.colleague(ctx, 'ADMIN');
    for (const change of [
      { userId: adminId, role: 'OWNER' },
      { userId: id, role: 'MEMBER' },
    ]) {
      expect(await given.run(admin, SET_ROLE, change)).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'ROLE_REQUIRED',
      });
    }
    expect(await given.run(admin, REMOVE, { userId: id })).toMatchObject({ reason: 'ROLE_REQUIRED' });
  });

  test('a member changes nobody, but may leave', async () => {
    const { ctx, id } = await given.owner();
    const member = await given.colleague(ctx, 'MEMBER');
    expect(await given.run(member.ctx, SET_ROLE, { userId: member.id, role: 'ADMIN' })).toMatchObject({
      reason: 'ROLE_REQUIRED',
    });
    expect(await given.run(member.ctx, REMOVE, { userId: id })).toMatchObject({ reason: 'ROLE_REQUIRED' });
    expect((await given.run(member.ctx, REMOVE, { userId: member.id })).data).toEqual({
      removeTeamMember: member.id,
    });
  });

  test('a new role holds at the next look-up, and gateways are notified', async () => {
    const { ctx } = await given.owner();
    const { id, token } = await given.colleague(ctx, 'MEMBER');
    const notified = new Promise((resolve) => services.live.subscribe(CREDENTIALS_CHANNEL, resolve));
    await given.run(ctx, SET_ROLE, { userId: id, role: 'ADMIN' });
    expect(await notified).toBe(`user:${id}`);
    expect((await given.contextOf(token)).caller).toMatchObject({ role: 'ADMIN', scopes: ['*'] });
  });

  test('sessions of somebody who was removed end in this workspace only', async () => {
    const { ctx } = await given.owner();
    const { id, token } = await given.colleague(ctx, 'ADMIN');
    await given.run(ctx, REMOVE, { userId: id });
    await expect(given.contextOf(token)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  test('somebody of another workspace is not found', async () => {
    const [{ ctx }, foreign] = [await given.owner(), await given.owner()];
    expect(await given.run(ctx, SET_ROLE, { userId: foreign.id, role: 'MEMBER' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await given.run(ctx, REMOVE, { userId: foreign.id })).toMatchObject({
      reason: 'TEAM_MEMBER_NOT_FOUND',
    });
  });
});

test('the team lists the people of the workspace only', async () => {
  const { ctx } = await given.owner();
  await given.colleague(ctx, 'MEMBER');
  await given.owner();
  const { data } = await given.run<{ teamMembers: { totalCount: number; nodes: { role: string }[] } }>(
    ctx,
    TEAM,
  );
  expect(data.teamMembers.totalCount).toBe(2);
  expect(data.teamMembers.nodes.map(({ role }) => role)).toEqual(['MEMBER', 'OWNER']);
});
