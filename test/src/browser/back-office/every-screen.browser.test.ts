import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Locator, Page, Request } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

let site: Site;
/** The ids that replace `:pool` and the like in the paths below. */
let ids: { readonly member: string; readonly pool: string; readonly order: string };
beforeAll(async () => {
  site = await createSite();
  const member = await givenMember(site, 'mia@example.com', 'Mia Moss');
  await site.admin(`mutation { answer: awardPoints(memberId: "${member}", input: { amount: 90 }) { id } }`);
  const pool = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  await site.admin(`mutation { answer: importCoupons(poolId: "${pool.id}", codes: ["AUTUMN-1"]) { id } }`);
  const order = await site.admin<{ id: string }>(`mutation { answer: createOrder(input: {
    externalOrderId: "A-1", memberId: "${member}", occurredAt: "2026-05-01T12:00:00Z", currency: "EUR",
    total: 1250, items: [{ name: "Tea", quantity: 1, unitPrice: 1250 }] }) { id } }`);
  await site.admin(`mutation { answer: refundOrder(externalOrderId: "A-1", input: {
    amount: 250, reason: "one cup was broken" }) { pointsReversed } }`);
  ids = { member, pool: pool.id, order: order.id };
  for (const key of ['receipts', 'custom_objects'])
    await site.admin(`mutation { answer: setModule(key: "${key}", enabled: true) { key } }`);
  await site.admin(`mutation { answer: submitReceipt(input: {
    memberId: "${member}", image: "${drawReceipt(receiptLines())}" }) { id } }`);
  await eventually(async () => {
    const waiting = '{ answer: receipts(status: IN_REVIEW) { totalCount } }';
    expect(await site.admin(waiting)).toEqual({ totalCount: 1 });
  });
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Each screen, with the names of the buttons that open its dialogs. */
const screens: readonly (readonly [path: string, ...buttons: string[]])[] = [
  ['/'],
  ['/members', 'Add a member', 'Award points to all', 'Export'],
  ['/liability'],
  ['/tiers', 'Add a tier'],
  ['/coupons', 'Add a coupon pool'],
  ['/coupons?code=AUTUMN-1', 'Void'],
  ['/coupons/:pool', 'Edit', 'Archive', 'Import codes', 'Generate codes', 'Export'],
  ['/orders', 'Export'],
  ['/orders/:order', 'Refund'],
  ['/receipts', 'Reject', 'Submit a receipt'],
  ['/captures', 'Add a capture'],
  ['/keys', 'Add a key'],
  ['/calls?caller=ALL'],
  ['/imports', 'Import a file'],
  ['/exports'],
  ['/modules'],
  ['/credits', 'Add credits'],
  ['/audit', 'Export'],
  ['/team', 'Invite a person'],
  ['/settings', 'Edit: Programme'],
  ['/account', 'Change password'],
  ['/nothing'],
  ['/members/:member/points', 'Export'],
  ['/members/:member?tab=visits'],
  ['/members/:member?tab=messages'],
  ['/members/:member?tab=records'],
  ['/members/:member'],
];
/** The items of the menu of a member. */
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

/** Resolves when nothing has loaded or moved for three frames and the page has no task left. */
const still = `new Promise((resolve, reject) => {
  const end = performance.now() + 30_000;
  // Without this timeout the test would wait for ever for a page that draws nothing.
  setTimeout(() => reject(new Error('no frame was drawn')), 31_000);
  let frames = 0;
  const look = () => {
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
    const loading = document.querySelectorAll('.mantine-Skeleton-root, .mantine-Loader-root');
    const menus = document.querySelectorAll('.mantine-Menu-dropdown');
    const dialogs = [...document.querySelectorAll('[role="dialog"]')];
    const faint = dialogs.filter((dialog) => getComputedStyle(dialog).opacity !== '1');
    frames = moving.length + loading.length + menus.length + faint.length > 0 ? 0 : frames + 1;
    if (frames === 3) requestIdleCallback(() => resolve());
    else if (performance.now() > end)
      reject(new Error([moving, loading, menus, faint].map(({ length }) => length).join(' ')));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Returns a function that waits until the page has no open request and no animation. */
function readiness(page: Page): () => Promise<void> {
  const requests = new Set<Request>();
  page.on('request', (request) => void requests.add(request));
  page.on('requestfinished', (request) => void requests.delete(request));
  page.on('requestfailed', (request) => void requests.delete(request));
  const noRequest = () => expect([...requests].map((request) => request.url())).toEqual([]);
  return () =>
    eventually(async () => {
      noRequest();
      await page.evaluate(still);
      noRequest();
    });
}

/** The faults of screens and dialogs at this width. Each is opened once, in light and dark alternately. */
async function faultsAt(width: number): Promise<unknown[]> {
  const page = await openOffice(site, '/', { width, isStill: true });
  const found: unknown[] = [];
  const ready = readiness(page);
  const schemes = ['light', 'dark'] as const;
  let scheme: (typeof schemes)[number] = 'light';
  const look = async (name: string, within?: string, onlyContrast = false) => {
    await ready();
    const violations = await violationsOf(page, { within, onlyContrast });
    const fits = await fitsWidth(page);
    if (violations.length > 0 || !fits) found.push([name, { width, scheme, violations, fits }]);
    await picture(page, `office${name.replaceAll(/\W/g, '-')}-${width}-${scheme}`);
  };
  const check = async (name: string, within?: string) => {
    await look(name, within);
    scheme = schemes.find((each) => each !== scheme)!;
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    await look(name, within, true);
  };
  const checkDialog = async (dialog: Locator, name: string) => {
    await dialog.waitFor();
    await check(name, '[role="dialog"]');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  for (const [path, ...buttons] of screens) {
    const address = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name]);
    await page.goto(`${site.stack.url}/app${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check(path);
    for (const button of buttons) {
      await page.getByRole('button', { name: button }).first().click();
      await checkDialog(page.getByRole('dialog'), `${path} ${button}`);
    }
  }
  for (const act of memberActs) {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: act }).click();
    await checkDialog(page.getByRole('dialog', { name: act }), `/member ${act}`);
  }
  return found;
}

test('no screen or dialog has an accessibility fault, at 360 and 1280 pixels, in light and dark', async () => {
  const found = await Promise.all([360, 1280].map(faultsAt));
  expect(found.flat()).toEqual([]);
}, 1_200_000);

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
  await find('mia', 'Mia Moss');
  await page.getByRole('heading', { name: 'Mia Moss' }).waitFor();
  await find('AUTUMN-1', 'Thanks · Available');
  await page.getByRole('region', { name: 'AUTUMN-1' }).waitFor();
});

test('the texts are in the language of the browser, or in the language that the user chose', async () => {
  const { page } = await site.open('/app/', { width: 1280, locale: 'pt-PT' });
  await page.getByRole('heading', { name: 'Iniciar sessão' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt');
});
