import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

/** Text that no screen may show: parts of the name, the address and the phone. */
const CLEAR = ['Priscilla', 'Privat', 'priscilla', '912345'];
const MASKED = 'P. P.';

let site: Site;
let memberId: string;
let poolId: string;
let couponCode: string;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  memberId = await givenMember(site, 'priscilla@example.com', 'Priscilla Privat');
  await site.admin(`mutation { answer: updateMember(id: "${memberId}", input: {
    phone: "+351912345678" }) { id } }`);
  await site.admin(`mutation { answer: defineCustomField(input: {
    key: "nickname", label: "Nickname", type: TEXT }) { key } }`);
  await site.admin(`mutation { answer: updateMember(id: "${memberId}", input: {
    customAttributes: { nickname: "Privat P" } }) { id } }`);
  await site.admin('mutation { answer: setModule(key: "receipts", enabled: true) { key } }');
  await site.admin(`mutation { answer: submitReceipt(input: {
    memberId: "${memberId}", image: "${drawReceipt(receiptLines())}" }) { id } }`);
  await site.admin(`mutation { answer: createCapture(input: {
    email: "priscilla.privat@example.com" }) { id } }`);
  await site.admin('mutation { answer: createCapture(input: { email: "priscilla@example.com" }) { id } }');
  const items = [{ name: 'Coffee', quantity: 1, unitPrice: 5_000 }];
  const occurredAt = new Date().toISOString();
  const body = { externalOrderId: 'P-1', memberId, currency: 'EUR', total: 5_000, items, occurredAt };
  expect((await site.stack.rest('POST', '/api/v2/orders', { as: site.key, body })).status).toBe(201);
  const { id } = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  poolId = id;
  await site.admin(`mutation { answer: generateCoupons(poolId: "${poolId}", count: 1) { id } }`);
  await site.admin(`mutation { answer: adjustPoints(
    memberId: "${memberId}", amount: 9, reason: "found") { id } }`);
  const { coupon } = await site.admin<{ coupon: { code: string } }>(`mutation { answer: redeemPointsForCoupon(
    memberId: "${memberId}", poolId: "${poolId}", pointsCost: 5) { coupon { code } } }`);
  couponCode = coupon.code;
  await site.stack.work();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Screens about something else that also name a member. */
const referring = () =>
  [
    ['/orders', '/captures', '/receipts', '/audit'],
    [`/coupons/${poolId}`, `/coupons?code=${couponCode}`],
  ].flat();

const shownClear = async (page: Page): Promise<string[]> => {
  const content = await page.content();
  return CLEAR.filter((part) => content.includes(part));
};

const BANNER = 'Names, addresses and phones of members are hidden in this tab.';

test('a user who shares the screen hides personal data of members, and shows it again', async () => {
  const page = await openOffice(site, '/members');
  await page.getByRole('link', { name: 'Priscilla Privat' }).waitFor();
  await page.getByRole('button', { name: 'Ada Owner', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Hide personal data' }).click();
  await page.getByText(BANNER).waitFor();
  await page.getByRole('link', { name: MASKED }).waitFor();
  await page.getByText('p***@e***.com').first().waitFor();
  expect(await shownClear(page)).toEqual([]);
  await page.getByRole('link', { name: MASKED }).click();
  await page.getByRole('heading', { name: MASKED }).waitFor();
  await page.getByText('***78').waitFor();
  await page.getByText('Nickname').waitFor();
  expect(await shownClear(page)).toEqual([]);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Set to inactive' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Export personal data' }).count()).toBe(0);
  const screens = [
    ['/orders', 'P-1'],
    ['/receipts', MASKED],
    ['/captures', 'p***@e***.com'],
    ['/audit', MASKED],
    [`/coupons/${poolId}`, MASKED],
    [`/coupons?code=${couponCode}`, MASKED],
    ['/', MASKED],
  ] as const;
  for (const [path, text] of screens) {
    await page.goto(`${site.stack.url}/app${path}`);
    await page.getByRole('main').getByText(text).first().waitFor();
    await page.getByText(BANNER).waitFor();
    expect([path, await shownClear(page)]).toEqual([path, []]);
  }
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Search screens, members, orders and codes');
  await search.fill('Privat');
  const found = page.getByRole('dialog').filter({ hasText: MASKED });
  await found.waitFor();
  const shown = await found.textContent();
  expect(CLEAR.filter((part) => shown?.includes(part))).toEqual([]);
  await search.fill('Show personal data');
  await page.getByRole('dialog').getByText('Show personal data', { exact: true }).click();
  await page.getByText(BANNER).waitFor({ state: 'detached' });
  for (const path of referring()) {
    await page.goto(`${site.stack.url}/app${path}`);
    await page.getByRole('main').getByRole('link', { name: 'Priscilla Privat' }).first().waitFor();
  }
  await page.goto(`${site.stack.url}/app/members/${memberId}`);
  await page.getByRole('heading', { name: 'Priscilla Privat' }).waitFor();
  await eventually(async () => expect(await shownClear(page)).toEqual(CLEAR));
});

test('another tab still shows personal data, and reading masked lists is not logged as reading members', async () => {
  const reads = async () => {
    const query = '{ answer: auditLog(action: "readMembers", first: 50) { nodes { id } } }';
    return (await site.admin<{ nodes: object[] }>(query)).nodes.length;
  };
  const page = await openOffice(site, '/account');
  await page.evaluate(`sessionStorage.setItem('loyalty-hide-personal', '')`);
  const before = await reads();
  await page.goto(`${site.stack.url}/app/members`);
  await page.getByRole('link', { name: MASKED }).waitFor();
  for (const path of [...referring(), '/']) {
    await page.goto(`${site.stack.url}/app${path}`);
    await page.getByRole('main').getByRole('link', { name: MASKED }).first().waitFor();
  }
  expect(await reads()).toBe(before);
  const other = await openOffice(site, '/orders');
  await other.getByRole('link', { name: 'Priscilla Privat' }).waitFor();
  await eventually(async () => expect(await reads()).toBeGreaterThan(before));
  const ofOrders = await reads();
  await other.goto(`${site.stack.url}/app/members`);
  await other.getByRole('link', { name: 'Priscilla Privat' }).waitFor();
  await eventually(async () => expect(await reads()).toBeGreaterThan(ofOrders));
});
