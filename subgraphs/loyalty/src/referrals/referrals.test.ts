import { beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { joinBy, nobody } from '../enrollment/enrollment.fixture.ts';
import { createEnrollmentForm } from '../enrollment-forms/enrollment-forms.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { issueAmbassadorCode } from './ambassador-codes.service.ts';
import { attributeOrderJob } from './referrals.jobs.ts';

const { services, ctx, fresh, newContext } = useServices();
let ambassador: { id: string };
let code: { id: string; code: string };
let token: string;

beforeEach(async () => {
  ambassador = await given.member(ctx, { email: 'ada@example.com' });
  code = await issueAmbassadorCode(ctx, ambassador.id, null);
  ({ token } = await createEnrollmentForm(ctx, { name: 'Friends', source: 'WEB' }));
});

const join = (email: string, referralCode: string) =>
  joinBy(nobody(services), token, { email, referralCode });
const ATTRIBUTE = `mutation ($memberId: ID!, $code: String!) { 
  attributeReferral(memberId: $memberId, code: $code) { member { id } ambassador { id } createdAt } }`;
const brought = () => publishedEvents(ctx, 'ambassador.referral_enrolled');
const codes = async () =>
  (await ask(fresh(), '{ ambassadorCodes { nodes { id referredMembers referredOrders } } }')).ambassadorCodes
    .nodes;

test('who joins by a code, however it is typed, is attributed to the ambassador and published once', async () => {
  const typed = code.code.toLowerCase().replaceAll('-', ' ');
  await join('friend@example.com', typed);
  await join('friend@example.com', typed);
  expect(await brought()).toEqual([
    { memberId: expect.any(String), ambassadorId: ambassador.id, codeId: code.id },
  ]);
  expect(await codes()).toEqual([{ id: code.id, referredMembers: 1, referredOrders: 0 }]);
});

test('the first ambassador of a member stays, of any number that claim it at once', async () => {
  const claims = [code.code];
  for (let n = 0; n < 9; n += 1)
    claims.push((await issueAmbassadorCode(ctx, (await given.member(ctx)).id, null)).code);
  const { id } = await given.member(ctx);
  const outcomes = await Promise.allSettled(
    claims.map((claim) => ask(fresh(), ATTRIBUTE, { memberId: id, code: claim })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(
    new Set(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))),
  ).toEqual(new Set(['REFERRAL_EXISTS']));
  const [published] = await brought();
  expect(await brought()).toHaveLength(1);
  const first = claims[outcomes.findIndex(({ status }) => status === 'fulfilled')]!;
  const { attributeReferral } = await ask(fresh(), ATTRIBUTE, { memberId: id, code: first });
  expect(attributeReferral).toMatchObject({ member: { id }, ambassador: { id: published!['ambassadorId'] } });
  expect(await brought()).toHaveLength(1);
});

test('nobody brings oneself, not even by another spelling of the address', async () => {
  await join('ada+friend@example.com', code.code);
  await join('ada@example.com', code.code);
  await expect(ask(fresh(), ATTRIBUTE, { memberId: ambassador.id, code: code.code })).rejects.toMatchObject({
    code: 'SELF_REFERRAL',
  });
  expect(await brought()).toEqual([]);
});

test('a code that ended, or whose member leaves or is gone, brings nobody', async () => {
  const { id } = await given.member(ctx);
  const refused = { code: 'REFERRAL_CODE_INVALID' };
  await ask(fresh(), 'mutation ($id: ID!) { deactivateAmbassadorCode(id: $id) { id } }', { id: code.id });
  await expect(join('friend@example.com', code.code)).rejects.toMatchObject(refused);
  const second = await issueAmbassadorCode(ctx, ambassador.id, null);
  expect(second.code).not.toBe(code.code);
  await requestErasure(ctx, ambassador.id);
  await expect(ask(fresh(), ATTRIBUTE, { memberId: id, code: second.code })).rejects.toMatchObject(refused);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(newContext());
  await expect(ask(fresh(), ATTRIBUTE, { memberId: id, code: second.code })).rejects.toMatchObject(refused);
});

test('a code works in its own workspace and mode only', async () => {
  const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  for (const where of [test, newContext()]) {
    const { id } = await given.member(where);
    await expect(ask(where, ATTRIBUTE, { memberId: id, code: code.code })).rejects.toMatchObject({
      code: 'REFERRAL_CODE_INVALID',
    });
    await expect(ask(fresh(), ATTRIBUTE, { memberId: id, code: code.code })).rejects.toMatchObject({
      code: 'MEMBER_NOT_FOUND',
    });
  }
});

test('an order of a referred member counts once, however often its event arrives', async () => {
  await join('buyer@example.com', code.code);
  const memberId = (await brought())[0]!['memberId'] as string;
  const stranger = await given.member(ctx);
  const orderId = newId(ctx.clock);
  await Promise.all(Array.from({ length: 20 }, () => attributeOrderJob.run(fresh(), { orderId, memberId })));
  await attributeOrderJob.run(fresh(), { orderId: newId(ctx.clock), memberId: null });
  await attributeOrderJob.run(fresh(), { orderId: newId(ctx.clock), memberId: stranger.id });
  expect(await publishedEvents(ctx, 'ambassador.referral_purchased')).toEqual([
    { memberId, ambassadorId: ambassador.id, orderId },
  ]);
  await attributeOrderJob.run(fresh(), { orderId: newId(ctx.clock), memberId });
  expect(await codes()).toEqual([{ id: code.id, referredMembers: 1, referredOrders: 2 }]);
});

test('attribution needs the module and ambassador:write', async () => {
  const { id } = await given.member(ctx);
  const key = { ...ctx.caller, kind: 'KEY' as const, role: null, scopes: ['ambassador:write'] };
  const attempt = (caller: typeof ctx.caller) =>
    ask(contextOf(services, caller), ATTRIBUTE, { memberId: id, code: code.code });
  await expect(attempt({ ...key, modules: [] })).rejects.toMatchObject({ code: 'MODULE_DISABLED' });
  await expect(attempt({ ...key, scopes: ['ambassador:read'] })).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
  await expect(attempt(key)).resolves.toBeTruthy();
});
