import { expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { markUnsubscribed } from '../member-status/member-status.service.ts';
import { consentsOf, setMemberConsent } from './consents.service.ts';

const { services, ctx, fresh } = useServices();

const SET = `mutation ($id: ID!, $purpose: ConsentPurpose!, $granted: Boolean!, $source: String) {
  setMemberConsent(memberId: $id, purpose: $purpose, granted: $granted, source: $source) { id } }`;
const READ = `query ($id: ID!) { member(id: $id) { consents { purpose isGranted changedAt } consentHistory {
  totalCount nodes { purpose isGranted source createdAt } } } }`;
const read = async (id: string) => (await ask(fresh(), READ, { id })).member;
const now = () => services.clock.now().toISOString();

test('who never said anything is asked for location and profiling, and may be mailed', async () => {
  const { id } = await given.member(ctx);
  expect(await read(id)).toEqual({
    consents: [
      { purpose: 'PRECISE_LOCATION', isGranted: false, changedAt: null },
      { purpose: 'EMAIL_MARKETING', isGranted: true, changedAt: null },
      { purpose: 'PROFILING', isGranted: false, changedAt: null },
    ],
    consentHistory: { totalCount: 0, nodes: [] },
  });
});

test('grants and withdrawals are on record in turn; the same again changes nothing', async () => {
  const { id } = await given.member(ctx);
  const location = { id, purpose: 'PRECISE_LOCATION' };
  const first = now();
  for (let n = 0; n < 2; n += 1)
    await ask(fresh(), SET, { ...location, granted: true, source: ' checkout-form ' });
  services.clock.advance(1_000);
  await ask(fresh(), SET, { ...location, granted: false });
  const { consents, consentHistory } = await read(id);
  expect(consents[0]).toEqual({ purpose: 'PRECISE_LOCATION', isGranted: false, changedAt: now() });
  expect(consentHistory).toEqual({
    totalCount: 2,
    nodes: [
      { purpose: 'PRECISE_LOCATION', isGranted: false, source: null, createdAt: now() },
      { purpose: 'PRECISE_LOCATION', isGranted: true, source: 'checkout-form', createdAt: first },
    ],
  });
  expect(await publishedEvents(ctx, 'member.consent_changed')).toEqual([
    { memberId: id, purpose: 'PRECISE_LOCATION', granted: true },
    { memberId: id, purpose: 'PRECISE_LOCATION', granted: false },
  ]);
});

test('thirty callers who grant at once are one change', async () => {
  const { id } = await given.member(ctx);
  await Promise.all(
    Array.from({ length: 30 }, () => setMemberConsent(fresh(), id, { purpose: 'PROFILING', granted: true })),
  );
  expect((await read(id)).consentHistory.totalCount).toBe(1);
  expect(await publishedEvents(ctx, 'member.consent_changed')).toHaveLength(1);
});

test('withdrawing mail asks once to suppress the address, and granting asks nothing', async () => {
  const { id, emailIndex } = await given.member(ctx);
  const mail = (granted: boolean) => setMemberConsent(fresh(), id, { purpose: 'EMAIL_MARKETING', granted });
  for (const granted of [false, false, true]) await mail(granted);
  expect(await publishedEvents(ctx, 'loyalty.email_consent_withdrawn')).toEqual([{ emailIndex }]);
  expect((await read(id)).consents[1]).toMatchObject({ isGranted: true });
});

test('who unsubscribes has withdrawn the consent to mail, on record and once', async () => {
  const { id, emailIndex } = await given.member(ctx);
  for (let n = 0; n < 2; n += 1) await markUnsubscribed(fresh(), emailIndex!);
  expect((await read(id)).consentHistory.nodes).toMatchObject([
    { purpose: 'EMAIL_MARKETING', isGranted: false, source: 'unsubscribe' },
  ]);
  expect(await publishedEvents(ctx, 'loyalty.email_consent_withdrawn')).toEqual([]);
});

test('a member speaks for itself alone, a key needs members:write', async () => {
  const [self, other] = [await given.member(ctx), await given.member(ctx)];
  const session = { kind: 'MEMBER' as const, actor: `member:${self.id}`, role: null, scopes: [] };
  const variables = { id: self.id, purpose: 'PRECISE_LOCATION', granted: true };
  await expect(ask(fresh(session), SET, variables)).resolves.toEqual({ setMemberConsent: { id: self.id } });
  await expect(ask(fresh(session), SET, { ...variables, id: other.id })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
  const reader = { kind: 'KEY' as const, role: null, scopes: ['members:read'] };
  await expect(ask(fresh(reader), SET, variables)).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  await expect(ask(fresh({ ...reader, scopes: ['members:write'] }), SET, variables)).resolves.toBeTruthy();
  await expect(ask(fresh({ kind: 'ANONYMOUS' }), SET, variables)).rejects.toMatchObject({
    code: 'CREDENTIAL_MISSING',
  });
});

test("another workspace's or mode's member has no consents to set", async () => {
  const { id } = await given.member(ctx);
  for (const place of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
    const set = setMemberConsent(fresh(place), id, { purpose: 'PROFILING', granted: true });
    await expect(set).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  }
  expect((await consentsOf(fresh(), id))[2]).toMatchObject({ isGranted: false });
});

test('consents of fifty members load in as many statements as those of one', async () => {
  for (let n = 0; n < 50; n += 1) {
    const { id } = await given.member(ctx);
    await setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: n % 2 === 0 });
  }
  const statements = async (first: number) => {
    services.statements.length = 0;
    await ask(fresh(), 'query ($n: Int) { members(first: $n) { nodes { consents { isGranted } } } }', {
      n: first,
    });
    return services.statements.length;
  };
  expect(await statements(50)).toBe(await statements(1));
});

test('a source that is too long is refused by name', async () => {
  const { id } = await given.member(ctx);
  const set = setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: true, source: 'x'.repeat(101) });
  await expect(set).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'source' } });
});
