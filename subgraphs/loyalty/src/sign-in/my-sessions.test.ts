import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { findMemberOfSession, startMemberSession } from './member-sessions.service.ts';

const { services, ctx } = useServices();

const MINE = '{ mySessions { totalCount nodes { id isCurrent revokedAt member { id } } } }';
const REVOKE = 'mutation ($id: ID!) { revokeMySession(id: $id) { id revokedAt } }';
const SIGN_OUT = 'mutation { signOut }';

/** Creates two sessions of a new member; returns the context of the second. */
async function signedIn(): Promise<{ memberId: string; ids: string[]; as: Context }> {
  const { id: memberId } = await given.member(ctx);
  for (let n = 0; n < 2; n += 1) await startMemberSession(ctx, memberId);
  const rows = await ctx.sql.query<{ id: string }>(
    'SELECT id FROM loyalty.member_sessions WHERE member_id = $1 ORDER BY id',
    [memberId],
  );
  const ids = rows.map(({ id }) => id);
  const member = { kind: 'MEMBER', actor: `member:${memberId}`, role: null, scopes: [] } as const;
  const as = contextOf(services, { ...ctx.caller, ...member, memberSessionId: ids[1]! });
  return { memberId, ids, as };
}

test('a member sees its own sessions only, and which of them it uses', async () => {
  const { memberId, ids, as } = await signedIn();
  await signedIn();
  expect((await ask(as, MINE)).mySessions).toEqual({
    totalCount: 2,
    nodes: [
      { id: ids[1], isCurrent: true, revokedAt: null, member: { id: memberId } },
      { id: ids[0], isCurrent: false, revokedAt: null, member: { id: memberId } },
    ],
  });
});

test('a member ends one of its sessions at once, and none of another', async () => {
  const [{ ids, as }, stranger] = [await signedIn(), await signedIn()];
  expect((await ask(as, REVOKE, { id: ids[0]! })).revokeMySession).toMatchObject({ id: ids[0] });
  expect(await findMemberOfSession(ctx, ids[0]!)).toBeNull();
  for (const id of [ids[0], stranger.ids[0]])
    await expect(ask(as, REVOKE, { id: id! })).rejects.toMatchObject({ code: 'MEMBER_SESSION_NOT_FOUND' });
  expect(await findMemberOfSession(ctx, stranger.ids[0]!)).toBe(stranger.memberId);
});

test('signing out ends the session with which it is done, and drops what gateways keep of it', async () => {
  const { memberId, ids, as } = await signedIn();
  expect(await ask(as, SIGN_OUT)).toEqual({ signOut: true });
  expect(as.request.changedCredentials).toEqual(new Set([`member:${memberId}`]));
  expect(await findMemberOfSession(ctx, ids[1]!)).toBeNull();
  expect(await findMemberOfSession(ctx, ids[0]!)).toBe(memberId);
  await expect(ask(as, SIGN_OUT)).rejects.toMatchObject({ code: 'MEMBER_SESSION_NOT_FOUND' });
});
