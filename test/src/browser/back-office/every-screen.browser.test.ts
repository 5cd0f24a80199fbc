import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts/receipts.given';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.given.ts';
import { givenMember, openOffice } from './office.given.ts';

let site: Site;
let id: string;
/** What `:pool` and `:order` stand for in the addresses below. */
let ids: { readonly pool: string; readonly order: string };
beforeAll(async () => {
  site = await createSite();
  id = await givenMember(site, 'mia@example.com', 'Mia Moss');
  await site.admin(`mutation { answer: awardPoints(memberId: "${id}", input: { amount: 90 }) { id } }`);
  const pool = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  await site.admin(`mutation { answer: importCoupons(poolId: "${pool.id}", codes: ["AUTUMN-1"]) { id } }`);
  const order = await site.admin<{ id: string }>(`mutation { answer: createOrder(input: {
    externalOrderId: "A-1", memberId: "${id}", occurredAt: "2026-05-01T12:00:00Z", currency: "EUR",
    total: 1250, items: [{ name: "Tea", quantity: 1, unitPrice: 1250 }] }) { id } }`);
  await site.admin(`mutation { answer: refundOrder(externalOrderId: "A-1", input: {
    amount: 250, reason: "one cup was broken" }) { pointsReversed } }`);
  ids = { pool: pool.id, order: order.id };
  for (const key of ['receipts', 'custom_objects'])
    await site.admin(`mutation { answer: setModule(key: "${key}", enabled: true) { key } }`);
  await site.admin(`mutation { answer: submitReceipt(input: {
    memberId: "${id}", image: "${drawReceipt(receiptLines())}" }) { id } }`);
  await eventually(async () => {
    const waiting = '{ answer: receipts(status: IN_REVIEW) { totalCount } }';
    expect(await site.admin(waiting)).toEqual({ totalCount: 1 });
  }, 60_000);
}, 120_000);
afterAll(() => site.close());
afterEach(() => site.endVisits());

const screens = [
  ...[
    '/',
    '/members',
    '/tiers',
    '/coupons',
    '/orders',
    '/receipts',
    '/keys',
    '/imports',
    '/modules',
    '/credits',
  ],
  ...['/coupons?code=AUTUMN-1', '/coupons/:pool', '/orders/:order'],
  ...['/audit', '/team', '/settings', '/account', '/nothing'],
];
/** The screens that have a dialog, and the button that opens it. */
const dialogs = [
  ['/members', 'Add a member'],
  ['/members', 'Award points to all'],
  ['/tiers', 'Add a tier'],
  ['/coupons', 'Add a coupon pool'],
  ['/coupons?code=AUTUMN-1', 'Void'],
  ['/coupons/:pool', 'Edit'],
  ['/coupons/:pool', 'Archive'],
  ['/coupons/:pool', 'Import codes'],
  ['/coupons/:pool', 'Generate codes'],
  ['/orders/:order', 'Refund'],
  ['/keys', 'Add a key'],
  ['/imports', 'Import a file'],
  ['/credits', 'Add credits'],
  ['/team', 'Invite a person'],
  ['/settings', 'Edit: Programme'],
  ['/receipts', 'Reject'],
  ['/account', 'Change password'],
] as const;
/** What the menu of a member opens. */
const memberActs = [
  'Exchange points for a coupon',
  'Adjust points',
  'Set the tier by hand',
  'Edit the member',
  'Set to inactive',
  'Sign the member out everywhere',
  'Unsubscribe from mail',
  'Export personal data',
  'Restrict processing',
  'Erase the member',
];
const memberTabs = ['visits', 'messages', 'records'];

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

test.each(looks)(
  'every screen and dialog can be used by everybody: %p',
  async ({ width, colorScheme }) => {
    const page = await openOffice(site, '/', { width, colorScheme });
    const found: unknown[] = [];
    const check = async (name: string) => {
      // What moves in is judged when it is there.
      await page.waitForTimeout(350);
      const violations = await violationsOf(page);
      const fits = await fitsWidth(page);
      if (violations.length > 0 || !fits) found.push([name, { violations, fits }]);
      await picture(page, `office${name.replaceAll(/\W/g, '-')}-${width}-${colorScheme}`);
    };
    const open = async (path: string) => {
      const address = path.replace(':pool', ids.pool).replace(':order', ids.order);
      await page.goto(`${site.stack.url}/app${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    };
    const ofMember = [`/members/${id}`, `/members/${id}/points`];
    const tabs = memberTabs.map((tab) => `/members/${id}?tab=${tab}`);
    for (const path of [...screens, ...ofMember, ...tabs]) {
      await open(path);
      await check(path);
    }
    for (const [path, button] of dialogs) {
      await open(path);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      await check(`${path} ${button}`);
    }
    for (const act of memberActs) {
      await open(`/members/${id}`);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: act }).click();
      await page.getByRole('dialog', { name: act }).waitFor();
      await check(`/member ${act}`);
    }
    expect(found).toEqual([]);
  },
  300_000,
);

test('screens, members and codes are found by keyboard alone', async () => {
  const page = await openOffice(site, '/');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const find = async (typed: string, found: string) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.locator('[placeholder="Search screens, members, orders and codes"]:focus').waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('dialog').getByText(found).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await find('Tiers', 'Tiers');
  await page.getByRole('heading', { name: 'Tiers', exact: true }).waitFor();
  await find('mia@example.com', 'M. M.');
  await page.getByRole('heading', { name: 'Mia Moss' }).waitFor();
  await find('AUTUMN-1', 'Thanks · Available');
  await page.getByRole('region', { name: 'AUTUMN-1' }).waitFor();
}, 60_000);

test('the texts are in the language of the browser, and in the one that is chosen', async () => {
  const { page } = await site.open('/app/', { width: 1280, locale: 'pt-PT' });
  await page.getByRole('heading', { name: 'Iniciar sessão' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt');
}, 60_000);
