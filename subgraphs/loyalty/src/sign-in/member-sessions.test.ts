import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { verifySession } from '@loyalty/platform/identity/session-token';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { pruneLoyaltyJob } from '../retention.jobs.ts';

const { services, ctx, fresh, newContext } = useServices({ caller: { mode: 'TEST' } });

const START = 'mutation ($id: ID!) { startMemberSession(memberId: $id) { token expiresAt } }';

test("a session names the member, the caller's workspace and mode, and ends after thirty days", async () => {
  const { id } = await given.member(ctx);
  const { startMemberSession: session } = await ask(ctx, START, { id });
  const claims = await verifySession(services.config.masterKeys, session.token, services.clock);
  expect(claims).toMatchObject({
    audience: 'member',
    subject: id,
    workspaceId: ctx.scope.workspaceId,
    mode: 'TEST',
    version: 1,
  });
  expect(Date.parse(session.expiresAt) - services.clock.now().getTime()).toBe(30 * DAY_MS);
  const audited = await ctx.sql.query(
    'SELECT action, after FROM platform.audit_entries WHERE resource_id = $1',
    [id],
  );
  expect(audited).toEqual([{ action: 'startMemberSession', after: null }]);
});

test('a key with members:write signs members in, a reader and a member do not', async () => {
  const { id } = await given.member(ctx);
  const key = { ...ctx.caller, kind: 'KEY' as const, role: null };
  await expect(
    ask(contextOf(services, { ...key, scopes: ['members:write'] }), START, { id }),
  ).resolves.toBeTruthy();
  await expect(
    ask(contextOf(services, { ...key, scopes: ['members:read'] }), START, { id }),
  ).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  await expect(ask(contextOf(services, { ...key, kind: 'MEMBER' }), START, { id })).rejects.toMatchObject({
    code: 'CALLER_REFUSED',
  });
});

const LIST = `query ($id: ID!, $first: Int, $after: String) {
  memberSessions(memberId: $id, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id revokedAt expiresAt member { id } } } }`;
const REVOKE = 'mutation ($id: ID!) { revokeMemberSession(id: $id) { id revokedAt } }';
const REVOKE_ALL = 'mutation ($id: ID!) { revokeMemberSessions(memberId: $id) }';
const holds = async (id: string) =>
  (
    await ask(fresh(systemCaller('test', ctx.scope)), 'query ($id: ID!) { _memberOfSession(id: $id) }', {
      id,
    })
  )._memberOfSession;

test('sessions are listed newest first and revoked one by one or together, once', async () => {
  const { id } = await given.member(ctx);
  const other = await given.member(ctx);
  for (const memberId of [id, id, id, other.id]) await ask(fresh(), START, { id: memberId });
  const { nodes, pageInfo, totalCount } = (await ask(fresh(), LIST, { id, first: 2 })).memberSessions;
  expect([totalCount, pageInfo.hasNextPage, nodes.length]).toEqual([3, true, 2]);
  const rest = (await ask(fresh(), LIST, { id, after: pageInfo.endCursor })).memberSessions.nodes;
  const ids = [...nodes, ...rest].map((session: { id: string }) => session.id);
  expect(new Set(ids).size).toBe(3);
  expect(await Promise.all(ids.map(holds))).toEqual([id, id, id]);
  await ask(fresh(), REVOKE, { id: ids[1] });
  expect(await Promise.all(ids.map(holds))).toEqual([id, null, id]);
  await expect(ask(fresh(), REVOKE, { id: ids[1] })).rejects.toMatchObject({
    code: 'MEMBER_SESSION_NOT_FOUND',
  });
  expect((await ask(fresh(), REVOKE_ALL, { id })).revokeMemberSessions).toBe(2);
  expect((await ask(fresh(), REVOKE_ALL, { id })).revokeMemberSessions).toBe(0);
  expect(await Promise.all(ids.map(holds))).toEqual([null, null, null]);
  const [kept] = (await ask(fresh(), LIST, { id: other.id })).memberSessions.nodes;
  expect([kept.revokedAt, await holds(kept.id)]).toEqual([null, other.id]);
});

test('a session ends by itself after thirty days and is deleted then', async () => {
  const { id } = await given.member(ctx);
  await ask(fresh(), START, { id });
  const [session] = (await ask(fresh(), LIST, { id })).memberSessions.nodes;
  services.clock.advance(30 * DAY_MS - 1);
  await pruneLoyaltyJob.run(fresh(), {});
  expect(await holds(session.id)).toBe(id);
  services.clock.advance(1);
  expect(await holds(session.id)).toBeNull();
  await pruneLoyaltyJob.run(fresh(), {});
  const rows = await ctx.sql.query('SELECT 1 FROM loyalty.member_sessions WHERE id = $1', [session.id]);
  expect(rows).toEqual([]);
});

test('sessions of another workspace or mode are neither listed nor revoked, nor by who may not write members', async () => {
  const { id } = await given.member(ctx);
  await ask(fresh(), START, { id });
  const [session] = (await ask(fresh(), LIST, { id })).memberSessions.nodes;
  for (const caller of [callerOf({ mode: 'TEST' }), { ...ctx.caller, mode: 'LIVE' as const }]) {
    await expect(ask(fresh(caller), LIST, { id })).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
    await expect(ask(fresh(caller), REVOKE, { id: session.id })).rejects.toMatchObject({
      code: 'MEMBER_SESSION_NOT_FOUND',
    });
    await expect(ask(fresh(caller), REVOKE_ALL, { id })).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  }
  const reader = { ...ctx.caller, kind: 'KEY' as const, role: null, scopes: ['members:read'] };
  for (const query of [LIST, REVOKE, REVOKE_ALL]) {
    await expect(ask(fresh(reader), query, { id })).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  }
  expect(await holds(session.id)).toBe(id);
});

test('members about to be erased, erased or unknown are not signed in', async () => {
  const { id } = await given.member(ctx);
  await requestErasure(ctx, id);
  await expect(ask(ctx, START, { id })).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(newContext());
  await expect(ask(ctx, START, { id })).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  const elsewhere = newContext();
  await expect(ask(elsewhere, START, { id: (await given.member(ctx)).id })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
});
