import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { verifySession } from '@loyalty/platform/session-token';
import { callerOf, contextOf, createTestServices, type TestServices } from '@loyalty/test/services';
import { ask, given } from '../loyalty.given.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';

let services: TestServices;
let ctx: Context;

beforeAll(async () => {
  services = await createTestServices();
});
beforeEach(() => {
  ctx = contextOf(services, callerOf({ mode: 'TEST' }));
});
afterAll(() => services.close());

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

test('members about to be erased, erased or unknown are not signed in', async () => {
  const { id } = await given.member(ctx);
  await requestErasure(ctx, id);
  await expect(ask(ctx, START, { id })).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(contextOf(services, callerOf()));
  await expect(ask(ctx, START, { id })).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  const elsewhere = contextOf(services, callerOf());
  await expect(ask(elsewhere, START, { id: (await given.member(ctx)).id })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
});
