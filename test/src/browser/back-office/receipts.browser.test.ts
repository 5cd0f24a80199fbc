import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenColleague, givenMember, openOffice, pick } from './office.fixture.ts';

let site: Site;
let memberId: string;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  await site.admin('mutation { answer: setModule(key: "receipts", enabled: true) { key } }');
  await site.admin(
    `mutation { answer: createEarningRule(input: {
      kind: BASE, name: "receipts", appliesTo: RECEIPT, priority: 1, rate: 1, isActive: true }) { id } }`,
  );
  await site.admin('mutation { answer: createStore(input: { name: "Harbour", address: "Quay 1" }) { id } }');
  memberId = await givenMember(site, 'rita@example.com', 'Rita Receipt');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Submits a receipt and waits until it was read; it then waits for a review. */
async function givenReceipt(lines: Parameters<typeof receiptLines>[0]): Promise<string> {
  const { id } = await site.admin<{ id: string }>(`mutation { answer: submitReceipt(input: {
    memberId: "${memberId}", image: "${drawReceipt(receiptLines(lines))}" }) { id } }`);
  await eventually(async () => {
    const query = `{ answer: receipt(id: "${id}") { ocrStatus status } }`;
    expect((await site.admin<{ ocrStatus: string }>(query)).ocrStatus).toBe('SUCCEEDED');
  });
  return id;
}

const receiptOf = (id: string) =>
  site.admin(`{ answer: receipt(id: "${id}") { status pointsAwarded totalMinor merchant
    reading { totalMinor merchant } } }`);

/** The faults of the page in light and dark, at three widths. */
async function faultsOf(page: Page, name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390, 360]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await page.setViewportSize({ width, height: 900 });
      const violations = await violationsOf(page);
      const fits = await fitsWidth(page);
      if (violations.length > 0 || !fits) found.push({ name, colorScheme, width, violations, fits });
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

const open = async (path: string) => openOffice(site, path);

test('a receipt is corrected, its points change with it, and both values are shown afterwards', async () => {
  const id = await givenReceipt({ day: '2026-03-01' });
  const page = await open('/receipts');
  await page.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  const total = page.getByLabel('Total', { exact: true });
  expect(await total.inputValue()).toBe('6.60');
  await page.getByText('By the rules: 6 points').waitFor();
  await total.fill('12,5x');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Type an amount such as 12.50.').waitFor();
  await total.fill('12,50');
  await page.getByText('By the rules: 12 points').waitFor();
  await page.getByLabel('Date of purchase').fill('2099-01-01');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.locator('[id$="-error"]').first().waitFor();
  await page.getByLabel('Date of purchase').fill('2026-03-02');
  await page.getByLabel('Shop').fill('Corner Café');
  await page.getByRole('button', { name: /^Closer/ }).click();
  await page.keyboard.press('t');
  expect(await page.getByRole('img', { name: 'Picture of the receipt' }).getAttribute('style')).toMatch(
    /width: 150%;.*rotate: 90deg/,
  );
  expect(await faultsOf(page, 'receipt-review')).toEqual([]);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('All receipts are reviewed.').waitFor();
  expect(await receiptOf(id)).toEqual({
    ...{ status: 'APPROVED', pointsAwarded: 12, totalMinor: 1250, merchant: 'Corner Café' },
    reading: { totalMinor: 660, merchant: 'CORNER SHOP' },
  });
  await page.getByLabel('Status').selectOption('Approved');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  const corrected = page.getByRole('table', { name: 'What was corrected' });
  await corrected.getByRole('row', { name: 'Total €6.60 €12.50' }).waitFor();
  await corrected.getByRole('row', { name: 'Shop CORNER SHOP Corner Café' }).waitFor();
  expect(await faultsOf(page, 'receipt-corrected')).toEqual([]);
}, 180_000);

/** The inputs of a line by its number, from 1. */
const lineOf = (page: Page, place: number) => ({
  name: page.getByLabel(`Item ${place}`, { exact: true }),
  quantity: page.getByLabel(`Quantity of item ${place}`, { exact: true }),
  price: page.getByLabel(`Price of item ${place}`, { exact: true }),
});

test('lines of a receipt are changed, removed and added, and what was read is shown beside them', async () => {
  const id = await givenReceipt({ day: '2025-11-03' });
  const page = await open('/receipts');
  await page.getByRole('table', { name: 'What was bought' }).waitFor();
  await page.getByRole('button', { name: 'Correct the items' }).click();
  const first = lineOf(page, 1);
  await first.name.and(page.locator(':focus')).waitFor();
  expect(await first.price.inputValue()).toBe('2.40');
  await first.name.fill('Flat white');
  await first.quantity.fill('0');
  await page.getByRole('button', { name: 'Remove item 2' }).click();
  await page.getByRole('button', { name: 'Add an item' }).click();
  const added = lineOf(page, 2);
  await added.name.and(page.locator(':focus')).waitFor();
  await added.price.pressSequentially('-0,5');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await eventually(async () => expect(await added.name.getAttribute('aria-invalid')).toBe('true'));
  await added.name.fill('Voucher');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Enter a number from 1 to 1,000,000.').waitFor();
  expect(await first.quantity.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('€1.90').waitFor();
  expect(await faultsOf(page, 'receipt-items')).toEqual([]);
  await first.quantity.fill('3');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('All receipts are reviewed.').waitFor();
  const lines = (query: string) => site.admin(`{ answer: receipt(id: "${id}") { ${query} } }`);
  expect(await lines('pointsAwarded items { name quantity amountMinor } reading { items { name } }')).toEqual(
    {
      pointsAwarded: 6,
      items: [
        { name: 'Flat white', quantity: 3, amountMinor: 240 },
        { name: 'Voucher', quantity: 1, amountMinor: -50 },
      ],
      reading: { items: [{ name: expect.stringMatching(/espresso/i) }, { name: 'Pastel de nata' }] },
    },
  );
  await page.getByLabel('Status').selectOption('Approved');
  await page.getByRole('button', { name: 'Open', exact: true }).first().click();
  await page.getByRole('region', { name: 'Was read' }).getByText('Pastel de nata').waitFor();
  const corrected = page.getByRole('region', { name: 'Corrected to' });
  await corrected.getByRole('row', { name: '3 × Flat white €2.40' }).waitFor();
  expect(await faultsOf(page, 'receipt-items-corrected')).toEqual([]);
}, 180_000);

test('a correction to an earlier purchase shows both, and is approved only where that is accepted', async () => {
  await givenReceipt({ day: '2026-02-01' });
  const other = await givenReceipt({ day: '2026-02-02' });
  const page = await open('/receipts');
  await page.getByRole('region', { name: 'Review: 1 of 2' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Review: 2 of 2' }).waitFor();
  await page.getByLabel('Date of purchase').fill('2026-02-01');
  await page.getByRole('region', { name: 'The earlier receipt' }).waitFor();
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('These corrections show the purchase of an earlier receipt.').waitFor();
  await page.getByLabel('It is another purchase: approve it anyway').check();
  expect(await faultsOf(page, 'receipt-duplicate')).toEqual([]);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  expect(await receiptOf(other)).toMatchObject({ status: 'APPROVED', pointsAwarded: 6 });
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByLabel('Reason').fill('Not ours');
  await page.keyboard.press('Enter');
  await page.getByText('All receipts are reviewed.').waitFor();
}, 180_000);

test('the second of two reviewers sees that the receipt was decided already, and changes nothing', async () => {
  const id = await givenReceipt({ day: '2026-01-05' });
  const colleague = await givenColleague(site, 'ADMIN');
  const first = await open('/receipts');
  const late = await openOffice(site, '/receipts', { person: colleague });
  await late.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  await late.getByText('By the rules: 6 points').waitFor();
  await late.route('**/graphql', async (route) => {
    const isReview = route.request().postData()?.includes('reviewReceipt') ?? false;
    if (isReview) await first.getByText('All receipts are reviewed.').waitFor();
    await route.continue();
  });
  await late.getByLabel('Total', { exact: true }).fill('99');
  await late.getByRole('button', { name: /^Approve/ }).click();
  await first.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  await first.getByRole('button', { name: /^Approve/ }).click();
  await first.getByText('All receipts are reviewed.').waitFor();
  await late.getByText('Somebody decided on this receipt already').waitFor();
  expect(await receiptOf(id)).toMatchObject({ status: 'APPROVED', totalMinor: 660, reading: null });
}, 180_000);

test('a receipt is sent for a member who is found by name; a wrong file is refused at its field', async () => {
  const page = await open('/receipts');
  await page.getByRole('button', { name: 'Submit a receipt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Submit a receipt' });
  const file = dialog.locator('input[type="file"]');
  const submit = dialog.getByRole('button', { name: 'Submit a receipt' });
  await submit.click();
  await dialog.getByText('This is required.').first().waitFor();
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await dialog.getByText('This is no JPEG, PNG or WebP picture.').waitFor();
  const large = Buffer.alloc(5 * 1024 * 1024 + 1);
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: large });
  await dialog.getByText('This file is larger than 5 MB.').waitFor();
  expect(await faultsOf(page, 'receipt-upload')).toEqual([]);
  const image = Buffer.from(drawReceipt(receiptLines({ day: '2025-12-24' })), 'base64');
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: image });
  await pick(page, dialog.getByLabel('Member'), 'rita', 'Rita Receipt');
  await pick(page, dialog.getByLabel('Store'), 'harb', 'Harbour');
  await submit.click();
  await page.getByText('The receipt is sent and will be read now.').waitFor();
  await eventually(async () => {
    const waiting = '{ answer: receipts(status: IN_REVIEW) { totalCount } }';
    expect(await site.admin(waiting)).toEqual({ totalCount: 1 });
  });
  await page.reload();
  await page.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  await eventually(async () => expect(await page.getByLabel('Store').inputValue()).toBe('Harbour'));
}, 180_000);

const shownPicture = (page: Page) => page.getByRole('img', { name: 'Picture of the receipt' });

test('the next picture is loaded in advance, once', async () => {
  await givenReceipt({ day: '2026-01-10' });
  await givenReceipt({ day: '2026-01-11' });
  const page = await open('/receipts');
  // The pictures that came over the network; a picture from the cache is not among them.
  const transfers = () =>
    page.evaluate<string[]>(`performance.getEntriesByType('resource')
      .filter(({ name, transferSize }) => name.includes('/receipt-images/') && transferSize > 0)
      .map(({ name }) => new URL(name).pathname)`);
  const shown = shownPicture(page);
  await shown.waitFor();
  await eventually(async () => expect(await transfers()).toHaveLength(2));
  const first = await shown.getAttribute('src');
  const next = (await transfers()).filter((path) => path !== first);
  expect(next).toHaveLength(1);
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Review: 2 of 3' }).waitFor();
  await shown.waitFor();
  expect([await shown.getAttribute('src')]).toEqual(next);
  await eventually(async () => expect(await transfers()).toHaveLength(3));
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Review: 3 of 3' }).waitFor();
  await page.keyboard.press('k');
  await shown.waitFor();
  expect(new Set(await transfers()).size).toBe(3);
  expect(await transfers()).toHaveLength(3);
}, 180_000);

test('for a broken picture a new link is requested, once', async () => {
  const page = await open('/receipts');
  // Pictures are broken until this number of links was requested.
  let goodFrom = 0;
  let links = 0;
  await page.route('**/receipt-images/*', (route) =>
    links < goodFrom ? route.fulfill({ contentType: 'image/png', body: 'none' }) : route.continue(),
  );
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('imageUrl')) links += 1;
    await route.continue();
  });
  const shown = shownPicture(page);
  await shown.waitFor();
  links = 0;
  // Three links: for the open picture, for the next picture, and a new link for the open one.
  goodFrom = 3;
  await page.reload();
  await shown.waitFor();
  expect(links).toBe(3);
  goodFrom = Number.POSITIVE_INFINITY;
  await page.reload();
  const alert = page.getByRole('alert').filter({ hasText: 'The picture cannot be shown.' });
  await alert.waitFor();
  expect(links).toBe(6);
  expect(await faultsOf(page, 'receipt-picture-failed')).toEqual([]);
  goodFrom = 0;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await shown.waitFor();
}, 180_000);

test('captures are filtered and added, and link to their members and coupons', async () => {
  const page = await open('/captures');
  await page.getByText('Nobody has left an address yet.').waitFor();
  const add = async (email: string, store?: string) => {
    await page.getByRole('button', { name: 'Add a capture' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a capture' });
    await dialog.getByLabel('E-mail').fill(email);
    if (store) await pick(page, dialog.getByLabel('Store'), store, store);
    await dialog.getByRole('button', { name: 'Add a capture' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await add('rita@example.com', 'Harbour');
  await add('nobody@example.com');
  const row = (email: string) => page.getByRole('row').filter({ hasText: email });
  await row('rita@example.com').getByRole('link').waitFor();
  await row('nobody@example.com').getByRole('img', { name: 'Not a member yet' }).waitFor();
  expect(await faultsOf(page, 'captures')).toEqual([]);
  const filter = page.getByRole('search', { name: 'Filter of the captures' });
  await filter.getByLabel('Where').selectOption('In a store');
  await row('nobody@example.com').waitFor({ state: 'detached' });
  await page.reload();
  await row('rita@example.com').waitFor();
  await filter.getByLabel('Period').selectOption('Chosen days');
  await filter.getByLabel('To', { exact: true }).fill('2025-01-01');
  await page.getByText('Nothing matches.').waitFor();
  await filter.getByRole('button', { name: 'Clear the filter' }).click();
  await row('nobody@example.com').waitFor();
  await pick(page, filter.getByLabel('Store'), 'harb', 'Harbour');
  await row('nobody@example.com').waitFor({ state: 'detached' });
  await row('rita@example.com').getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Rita Receipt' }).waitFor();
});
