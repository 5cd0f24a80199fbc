import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSite, type Site } from '../site.fixture.ts';
import { givenColleague, givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

async function givenPool(name: string, codes: readonly string[] = []): Promise<string> {
  const input = { name, couponType: 'PERCENT', discountDisplay: '10%' };
  const create =
    'mutation ($input: CreateCouponPoolInput!) { answer: createCouponPool(input: $input) { id } }';
  const { id } = await site.admin<{ id: string }>(create, { input });
  const fill = `mutation ($id: ID!, $codes: [String!]!) {
    answer: importCoupons(poolId: $id, codes: $codes) { id } }`;
  if (codes.length > 0) await site.admin(fill, { id, codes });
  return id;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a pool is edited, and a pool with few codes is shown with a low stock', async () => {
  const id = await givenPool('Spring', ['SPRING-1', 'SPRING-2']);
  const page = await openOffice(site, `/coupons/${id}`);
  await press(page, 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit the coupon pool' });
  await dialog.getByLabel('Coupon pool').fill('Summer');
  await dialog.getByLabel('Discount').fill('20% off');
  await dialog.getByLabel('Last day').fill('2020-01-01');
  await dialog.getByLabel('Low stock from').fill('2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Choose a time in the future.').waitFor();
  await dialog.getByLabel('Last day').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Summer' }).waitFor();
  await page.getByText('20% off').waitFor();
  await page.getByText('Low stock', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'Stock: Available: 2' }).waitFor();
  await press(page, 'Edit');
  expect(await dialog.getByLabel('Last day').inputValue()).toBe('2099-12-31');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Coupons', exact: true }).first().click();
  await page
    .getByRole('row', { name: /Summer/ })
    .getByText('Low stock', { exact: true })
    .waitFor();
});

test('codes are imported from a file, and each code that is left out has a reason', async () => {
  const [id] = [await givenPool('Autumn'), await givenPool('Other', ['there-1'])];
  const page = await openOffice(site, `/coupons/${id}`);
  await press(page, 'Import codes');
  const dialog = page.getByRole('dialog', { name: 'Import codes' });
  await page.locator('input[type="file"]').setInputFiles({
    name: 'codes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('New-1\r\nNEW-1\r\n\r\nNew-2\r\nThere-1\r\nx\r\n'),
  });
  await dialog.getByText('codes.txt').waitFor();
  await dialog.getByRole('button', { name: 'Import codes' }).click();
  const result = page.getByRole('dialog', { name: 'Result of the import' });
  await result.getByText('2 codes were added, 3 left out.').waitFor();
  for (const row of ['NEW-1 Repeated in the list', 'There-1 Exists already', 'x Invalid'])
    await result.getByRole('row', { name: row }).waitFor();
  await result.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Available: 2').waitFor();
  await page.getByRole('cell', { name: 'New-2', exact: true }).waitFor();
});

test('a code is found in upper or lower case, and voided', async () => {
  const memberId = await givenMember(site, 'cleo@example.com', 'Cleo Code');
  const id = await givenPool('Winter', ['WINTER-77']);
  await site.admin(`mutation { answer: awardPoints(memberId: "${memberId}", input: { amount: 50 }) { id } }`);
  await site.admin(`mutation { answer: redeemPointsForCoupon(
    memberId: "${memberId}", poolId: "${id}", pointsCost: 10) { newBalance } }`);
  const page = await openOffice(site, '/coupons');
  await page.getByRole('searchbox', { name: 'Code' }).fill('nothing-1');
  await press(page, 'Find the code');
  await page.getByText('There is no code nothing-1.').waitFor();
  await page.getByRole('searchbox', { name: 'Code' }).fill(' winter-77 ');
  await page.keyboard.press('Enter');
  const found = page.getByRole('region', { name: 'WINTER-77' });
  await found.getByText('Issued', { exact: true }).first().waitFor();
  await found.getByRole('link', { name: 'Winter' }).waitFor();
  expect(await found.getByRole('link', { name: 'Cleo Code' }).getAttribute('href')).toContain(memberId);
  await found.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void: WINTER-77' });
  await dialog.getByLabel('Reason').fill('printed twice');
  await dialog.getByLabel('Enter WINTER-77 to confirm').fill('WINTER-77');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await found.getByText('Void', { exact: true }).waitFor();
  await found.getByRole('button', { name: 'Void' }).waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /Winter/ })
    .getByText('Voided: 1')
    .waitFor();
});

test('a pool is paused and activated, and it is archived with its codes after its name was typed', async () => {
  const id = await givenPool('Closing', ['CLOSE-1', 'CLOSE-2', 'CLOSE-3']);
  const page = await openOffice(site, `/coupons/${id}`);
  await press(page, 'Pause');
  await page.getByText('Paused', { exact: true }).waitFor();
  await press(page, 'Activate');
  await page.getByText('Active', { exact: true }).waitFor();
  await press(page, 'Archive');
  const dialog = page.getByRole('dialog', { name: 'Archive: Closing' });
  await dialog.getByText('3 codes that are not redeemed yet').waitFor();
  await dialog.getByLabel('Void the codes').check();
  await dialog.getByRole('button', { name: 'Archive' }).click();
  await dialog.getByText('Enter Closing as it is written here.').waitFor();
  await dialog.getByLabel('Enter Closing to confirm').fill('Closing');
  await dialog.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Archived', { exact: true }).waitFor();
  await page.getByText('Voided: 3').waitFor();
  for (const name of ['Edit', 'Pause', 'Archive', 'Import codes', 'Generate codes', 'Void the codes'])
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
});

test('a user who may only read sees the stock, but nothing that changes it', async () => {
  const id = await givenPool('Look', ['LOOK-1']);
  const page = await openOffice(site, `/coupons/${id}`, { person: await givenColleague(site, 'MEMBER') });
  await page.getByText('Available: 1').waitFor();
  await page.getByRole('cell', { name: 'LOOK-1', exact: true }).waitFor();
  for (const name of ['Edit', 'Pause', 'Archive', 'Import codes', 'Generate codes', 'Void'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
});
