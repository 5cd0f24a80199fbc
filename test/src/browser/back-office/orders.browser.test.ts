import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenMember, openOffice, pick } from './office.fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Noon of a day in UTC, which is the time zone of the workspace. */
const noon = (daysAgo: number): string =>
  `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T12:00:00Z`;

let site: Site;
let memberId: string;
let storeId: string;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  memberId = await givenMember(site, 'oda@example.com', 'Oda Order');
  await site.admin(
    `mutation { answer: createEarningRule(input: {
      kind: BASE, name: "one", appliesTo: ORDER, priority: 1, rate: 1, isActive: true }) { id } }`,
  );
  const store = await site.admin<{ id: string }>(
    'mutation { answer: createStore(input: { name: "Corner", address: "Street 1" }) { id } }',
  );
  storeId = store.id;
  await givenOrder({ externalOrderId: 'A-1', storeId, occurredAt: noon(3), memberId });
  await givenOrder({ externalOrderId: 'A-2', storeId, occurredAt: noon(9) });
  await givenOrder({ externalOrderId: 'A-3', occurredAt: noon(3) });
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const items = [
  { name: 'Coffee', sku: 'C-1', quantity: 2, unitPrice: 1_500 },
  { name: 'Cake', quantity: 1, unitPrice: 2_000 },
];

async function givenOrder(details: object): Promise<void> {
  const body = { currency: 'EUR', total: 5_000, items, ...details };
  expect((await site.stack.rest('POST', '/api/v2/orders', { as: site.key, body })).status).toBe(201);
}

test('orders are found by store and days, and the URL keeps the filter', async () => {
  const page = await openOffice(site, '/orders');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await link('A-3').waitFor();
  await pick(page, page.getByLabel('Store'), 'corn', 'Corner');
  await link('A-3').waitFor({ state: 'detached' });
  await link('A-2').waitFor();
  await page.getByLabel('Period').selectOption('Chosen days');
  await page.getByLabel('From').fill(noon(3).slice(0, 10));
  await page.getByLabel('To', { exact: true }).fill(noon(3).slice(0, 10));
  await link('A-2').waitFor({ state: 'detached' });
  await link('A-1').waitFor();
  await page.reload();
  await link('A-1').waitFor();
  expect(await link('A-2').count()).toBe(0);
  await page.getByLabel('To', { exact: true }).fill(noon(5).slice(0, 10));
  await page.getByText('It ends before it begins.').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await link('A-3').waitFor();
  expect(await page.getByLabel('Store').inputValue()).toBe('');
  expect(await page.getByLabel('From').count()).toBe(0);
  await page.getByLabel('Period').selectOption('Today');
  await page.getByText('Nothing matches.').waitFor();
  const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
  expect(await from.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await to.inputValue()).toBe(await from.inputValue());
  await page.reload();
  expect(await page.getByLabel('Period').inputValue()).toBe('today');
  await page.getByLabel('Period').selectOption('Any time');
  await link('A-3').waitFor();
  await page.getByLabel('Status').selectOption('Cancelled');
  await page.getByText('Nothing matches.').waitFor();
});

test('a part of an order is refunded on its page, and its share of the points is taken back', async () => {
  const page = await openOffice(site, '/orders?externalOrderId=A-1');
  await page.getByRole('link', { name: 'A-1', exact: true }).click();
  await page.getByRole('heading', { name: 'Order A-1' }).waitFor();
  await page.getByRole('row', { name: 'Coffee C-1 2 €15.00 €30.00' }).waitFor();
  const order = page.getByRole('region', { name: 'Order', exact: true });
  await order.getByText('Corner').waitFor();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund: A-1' });
  await dialog.getByText('Left to refund: €50.00').waitFor();
  await dialog.getByLabel('Amount').fill('50.005');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText('Enter a number above 0').waitFor();
  await dialog.getByLabel('Amount').fill('60');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText(/This is more than is left to refund/).waitFor();
  await dialog.getByLabel('Amount').fill('12,50');
  await dialog.getByLabel('Reason').fill('one cup was broken');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.waitFor({ state: 'detached' });
  await order.getByText('Partially refunded').waitFor();
  await page.getByRole('row', { name: /one cup was broken €12\.50 12$/ }).waitFor();
  await page.getByText('€37.50').waitFor();
  await order.getByRole('link', { name: 'Oda Order' }).click();
  await page.getByRole('heading', { name: 'Oda Order' }).waitFor();
  // 50 points were earned; a quarter of them, rounded to whole points, was taken back.
  await balance(page).getByText('38').waitFor();
});

test('the page of an unknown order says that it does not exist', async () => {
  const page = await openOffice(site, `/orders/${storeId}`);
  await page.getByText('There is no such order.').waitFor();
});
