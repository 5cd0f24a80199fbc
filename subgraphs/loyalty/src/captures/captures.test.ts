import { expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { poolOf, storeOf } from '../coupons/coupons.fixture.ts';
import { findCoupon, issueCoupon } from '../coupons/coupons.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { forgetCapturesJob, linkCapturesJob } from './captures.jobs.ts';
import { createCapture, listCaptures } from './captures.service.ts';

const { services, ctx, fresh } = useServices();

const LIST = '{ captures { totalCount nodes { id type email store { id } } } }';

test('an address is kept once without a store and once for each, also when it comes at the same time', async () => {
  const store = await storeOf(ctx);
  const emails = [' Ana@Example.com', 'ana@example.com', 'ANA@example.com', 'ana@example.com '];
  const online = await Promise.all(emails.map((email) => createCapture(fresh(), { email })));
  const inStore = await Promise.all(
    emails.map((email) => createCapture(fresh(), { email, storeId: store.id })),
  );
  expect(new Set(online.map(({ id }) => id)).size).toBe(1);
  expect(new Set(inStore.map(({ id }) => id)).size).toBe(1);
  const { captures } = await ask(fresh(), LIST);
  expect(captures).toEqual({
    totalCount: 2,
    nodes: [
      { id: inStore[0]!.id, type: 'STORE', email: 'ana@example.com', store: { id: store.id } },
      { id: online[0]!.id, type: 'EMAIL', email: 'ana@example.com', store: null },
    ],
  });
  expect(await publishedEvents(ctx, 'capture.created')).toEqual([
    { captureId: online[0]!.id, storeId: null },
    { captureId: inStore[0]!.id, storeId: store.id },
  ]);
});

test('what is no address, and an unknown store, are refused', async () => {
  await expect(createCapture(ctx, { email: 'ana' })).rejects.toThrow('input.email');
  const storeId = newId(services.clock);
  await expect(createCapture(ctx, { email: 'ana@example.com', storeId })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
  expect((await ask(fresh(), LIST)).captures.totalCount).toBe(0);
});

test('addresses are masked for callers without members:read, and sealed in the database', async () => {
  await createCapture(ctx, { email: 'ana.reis@example.com' });
  const narrow = fresh({ kind: 'KEY', scopes: ['captures:read'] });
  expect((await ask(narrow, LIST)).captures.nodes[0].email).toBe('a***@e***.com');
  const [row] = await ctx.sql.query<{ row: unknown }>(
    'SELECT to_jsonb(c) AS row FROM loyalty.captures AS c WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  const sealed = Buffer.from('ana.reis').toString('hex');
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`ana\\.reis|${sealed}`));
});

test('captures go when the member with their address is erased; their coupons stay without an address', async () => {
  const pool = await poolOf(ctx, 5);
  const before = await createCapture(ctx, { email: 'gone@example.com' });
  const other = await createCapture(ctx, { email: 'stays@example.com' });
  const member = await given.member(ctx, { email: 'gone@example.com' });
  const store = await storeOf(ctx);
  const after = await createCapture(ctx, { email: 'gone@example.com', storeId: store.id });
  const coupons = [
    await issueCoupon(ctx, pool.id, before.id),
    await issueCoupon(ctx, pool.id, after.id),
    await issueCoupon(ctx, pool.id, other.id),
  ];
  await requestErasure(ctx, member.id);
  await linkCapturesJob.run(fresh(), { memberId: member.id });
  services.clock.set(addMs(services.clock.now(), 30 * DAY_MS));
  await eraseDueMembers(fresh());
  for (const run of [1, 2]) await forgetCapturesJob.run(fresh(), { memberId: member.id, run });
  expect((await ask(fresh(), LIST)).captures.nodes).toEqual([expect.objectContaining({ id: other.id })]);
  const kept = await Promise.all(coupons.map(({ id }) => findCoupon(fresh(), id)));
  expect(kept.map((coupon) => [coupon?.status, coupon?.captureId])).toEqual([
    ['ISSUED', null],
    ['ISSUED', null],
    ['ISSUED', other.id],
  ]);
});

test('a member who joins after the capture is published as the owner of its coupons', async () => {
  const pool = await poolOf(ctx, 1);
  const { id } = await createCapture(ctx, { email: 'later@example.com' });
  const member = await given.member(ctx, { email: 'later@example.com' });
  await issueCoupon(ctx, pool.id, id);
  expect(await publishedEvents(ctx, 'coupon.issued')).toEqual([
    expect.objectContaining({ captureId: id, memberId: member.id }),
  ]);
});

test('captures are filtered by store, type and days', async () => {
  const store = await storeOf(ctx);
  const before = services.clock.now();
  const old = await createCapture(fresh(), { email: 'old@example.com' });
  services.clock.set(addMs(before, 2 * DAY_MS));
  const online = await createCapture(fresh(), { email: 'new@example.com' });
  const inStore = await createCapture(fresh(), { email: 'new@example.com', storeId: store.id });
  const query = `query ($storeId: ID, $type: CaptureType, $from: Date, $to: Date) {
    captures(storeId: $storeId, type: $type, from: $from, to: $to) { totalCount nodes { id } } }`;
  const found = async (variables: Record<string, unknown>) => {
    const { nodes, totalCount } = (await ask(fresh(), query, variables)).captures;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ id }: { id: string }) => id);
  };
  const [first, last] = [before, services.clock.now()].map((at) => at.toISOString().slice(0, 10));
  expect(await found({})).toEqual([inStore.id, online.id, old.id]);
  expect(await found({ storeId: store.id })).toEqual([inStore.id]);
  expect(await found({ storeId: newId(services.clock) })).toEqual([]);
  expect(await found({ type: 'EMAIL' })).toEqual([online.id, old.id]);
  expect(await found({ type: 'STORE' })).toEqual([inStore.id]);
  expect(await found({ to: first })).toEqual([old.id]);
  expect(await found({ from: last, type: 'EMAIL' })).toEqual([online.id]);
  await expect(listCaptures(fresh(), { from: last, to: first })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'from' },
  });
});

test('a capture leads to the member with its address and to its coupons', async () => {
  const pool = await poolOf(ctx, 2);
  const { id } = await createCapture(ctx, { email: 'later@example.com' });
  const lonely = await createCapture(ctx, { email: 'nobody@example.com' });
  const member = await given.member(ctx, { email: 'later@example.com' });
  const coupon = await issueCoupon(ctx, pool.id, id);
  const query = '{ captures { nodes { id member { id } coupons { id code status } } } }';
  services.statements.length = 0;
  expect((await ask(fresh(), query)).captures.nodes).toEqual([
    { id: lonely.id, member: null, coupons: [] },
    { id, member: { id: member.id }, coupons: [{ id: coupon.id, code: coupon.code, status: 'ISSUED' }] },
  ]);
  const cost = services.statements.length;
  for (let n = 0; n < 20; n += 1) await createCapture(fresh(), { email: `c${n}@example.com` });
  services.statements.length = 0;
  expect((await ask(fresh(), query)).captures.nodes).toHaveLength(22);
  expect(services.statements.length).toBe(cost);
});

test('a page of fifty captures costs as many statements as one', async () => {
  for (let n = 0; n < 50; n += 1) await createCapture(fresh(), { email: `c${n}@example.com` });
  const cost = async (first: number) => {
    services.statements.length = 0;
    const query = 'query ($first: Int!) { captures(first: $first) { nodes { email } } }';
    expect((await ask(fresh(), query, { first })).captures.nodes).toHaveLength(first);
    return services.statements.length;
  };
  expect(await cost(50)).toBe(await cost(1));
});
