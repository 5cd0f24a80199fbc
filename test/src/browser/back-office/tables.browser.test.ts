import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { openOffice } from './office.fixture.ts';

let site: Site;
/** The ids of members by name. Ann, Ben and Cleo have 30, 10 and 20 points; the others have none. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  site = await createSite();
  const create = 'mutation ($input: CreateMemberInput!) { answer: createMember(input: $input) { id } }';
  for (const name of ['=Ann', 'Ben', 'Cleo', 'Dan', 'Eve']) {
    const input = { email: `${name.replace('=', '').toLowerCase()}@example.com`, fullName: name };
    ids[name] = (await site.admin<{ id: string }>(create, { input })).id;
  }
  for (const [name, amount] of [
    ['=Ann', 30],
    ['Ben', 10],
    ['Cleo', 2_000],
  ] as const)
    await site.admin(`mutation { answer: awardPoints(memberId: "${ids[name]}", input: {
      amount: ${amount} }) { id } }`);
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const names = (page: Page): Promise<string[]> =>
  page.getByRole('table', { name: 'Members' }).locator('td[data-name]').allTextContents();

test('a list is sorted by its column headers, and the order stays in the URL', async () => {
  const page = await openOffice(site, '/members');
  const points = page.getByRole('columnheader', { name: 'Points' });
  await points.getByRole('button').click();
  await page.locator('th[aria-sort="descending"]', { hasText: 'Points' }).waitFor();
  await eventually(async () => expect((await names(page)).slice(0, 3)).toEqual(['Cleo', '=Ann', 'Ben']));
  await points.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Points' }).waitFor();
  await eventually(async () => expect((await names(page)).slice(2)).toEqual(['Ben', '=Ann', 'Cleo']));
  await page.reload();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Points' }).waitFor();
  expect((await names(page)).at(-1)).toBe('Cleo');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('POINTS_ASC');
  expect(await page.getByLabel('Order').inputValue()).toBe('POINTS_ASC');
});

test('rows are selected one by one, by range and all together, and get a tag in one act', async () => {
  const page = await openOffice(site, '/members?sort=CREATED_ASC');
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  await tick('Ben').check();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await bar.getByText('1 selected').waitFor();
  await tick('Dan').click({ modifiers: ['Shift'] });
  await page.getByRole('status').filter({ hasText: '3 selected' }).waitFor();
  expect(await tick('Cleo').isChecked()).toBe(true);
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  expect(await bar.getByRole('button', { name: 'Select all 5 on this page' }).count()).toBe(1);
  expect(await page.locator('th input:indeterminate').count()).toBe(1);
  await tick('Cleo').press('Space');
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Add a tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tag' });
  await dialog.getByLabel('Tag').fill('Regulars');
  await dialog.getByRole('button', { name: 'For 2 members' }).click();
  await page.getByText('The tag was added to 2 members.').waitFor();
  await bar.waitFor({ state: 'detached' });
  const tagged = '{ answer: members(tag: "regulars", sort: CREATED_ASC) { nodes { name } } }';
  expect(await site.admin(tagged)).toEqual({ nodes: [{ name: 'Ben' }, { name: 'Dan' }] });
  await all.check();
  await bar.getByText('5 selected').waitFor();
  await bar.getByRole('button', { name: 'Remove a tag' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove a tag' });
  await removal.getByLabel('Tag').fill('regulars');
  await removal.getByRole('button', { name: 'For 5 members' }).click();
  await page.getByText('The tag was removed from 2 members.').waitFor();
  expect(await site.admin(tagged)).toEqual({ nodes: [] });
});

test('points are awarded to the selected members, and to nobody else', async () => {
  const page = await openOffice(site, '/members?sort=CREATED_ASC');
  for (const name of ['Dan', 'Eve']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Award points to the selected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points to the selected' });
  await dialog.getByLabel('Points').fill('7');
  await dialog.getByLabel('Description').fill('autumn');
  await dialog.getByText('2 members get these points. That makes 14 points in all.').waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Award 14 points' }).click();
  await dialog.waitFor({ state: 'detached' });
  await site.stack.work();
  await eventually(async () => {
    const { nodes } = await site.admin<{ nodes: { name: string; pointsBalance: number }[] }>(
      '{ answer: members(sort: CREATED_ASC) { nodes { pointsBalance } } }',
    );
    expect(nodes.map(({ pointsBalance }) => pointsBalance)).toEqual([30, 10, 2_000, 7, 7]);
  });
});

test('columns are chosen, kept for the user, and reset', async () => {
  const page = await openOffice(site, '/members');
  const head = (name: string) => page.getByRole('columnheader', { name });
  await head('E-mail').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  const choice = page.getByRole('dialog', { name: 'Columns' });
  await choice.getByRole('checkbox', { name: 'E-mail' }).uncheck();
  await choice.getByRole('checkbox', { name: 'Joined' }).check();
  expect(await choice.getByRole('checkbox', { name: 'Name', exact: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await head('Joined').waitFor();
  await page.reload();
  await head('Joined').waitFor();
  expect(await head('E-mail').count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await choice.getByRole('button', { name: 'As at first' }).click();
  await head('E-mail').waitFor();
  expect(await head('Joined').count()).toBe(0);
});

test('the file has the columns and rows that are shown, and contains no formula', async () => {
  const page = await openOffice(site, '/members?sort=POINTS_DESC');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Last activity' }).uncheck();
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save this page as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Members.csv');
  const text = readFileSync(await file.path(), 'utf8');
  const rows = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(rows[0]).toEqual(['Name', 'E-mail', 'Status', 'Tier', 'Points']);
  expect(rows[1]).toEqual(['Cleo', 'cleo@example.com', 'Active', '', '2000']);
  expect(rows[2]).toEqual(["'=Ann", 'ann@example.com', 'Active', '', '30']);
  expect(rows).toHaveLength(6);
});

test('a page of 200 rows has few elements, and its length stays in the URL, also with a filter', async () => {
  const upsert =
    'mutation ($input: [UpsertMemberInput!]!) { answer: upsertMembers(input: $input) { __typename } }';
  for (const from of [0, 100]) {
    const input = Array.from({ length: 100 }, (_, at) => ({
      email: `many.${from + at}@example.com`,
      fullName: `Many ${from + at}`,
    }));
    await site.admin(upsert, { input });
  }
  const page = await openOffice(site, '/members');
  await page.getByRole('row').nth(50).waitFor();
  await page.getByLabel('Rows of a page').selectOption('200');
  await page.getByRole('row').nth(200).waitFor();
  expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(3_000);
  expect(new URL(page.url()).searchParams.get('size')).toContain('200');
  await page.getByLabel('Status').selectOption('ACTIVE');
  await page.getByRole('button', { name: 'Clear the filter' }).waitFor();
  await page.getByRole('row').nth(200).waitFor();
  await page.reload();
  await page.getByRole('row').nth(200).waitFor();
  expect(await page.getByLabel('Rows of a page').inputValue()).toBe('200');
});

test('on a phone a row is a card that can be selected', async () => {
  const page = await openOffice(site, '/members?search=ben%40example.com', { width: 360 });
  await page.getByRole('checkbox', { name: 'Select Ben' }).check();
  await page.getByRole('region', { name: 'Selected rows' }).getByText('1 selected').waitFor();
});

test('selected codes of a pool are voided together; used codes stay as they are', async () => {
  const pool = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Bulk", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  const codes = ['BULK-1', 'BULK-2', 'BULK-3'];
  await site.admin(
    'mutation ($id: ID!, $codes: [String!]!) { answer: importCoupons(poolId: $id, codes: $codes) { id } }',
    { id: pool.id, codes },
  );
  const used = await site.admin<{ id: string }>('{ answer: couponByCode(code: "BULK-2") { id } }');
  await site.admin(`mutation { answer: redeemCoupon(id: "${used.id}") { id } }`);
  const page = await openOffice(site, `/coupons/${pool.id}`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Void the selected' }).click();
  const dialog = page.getByRole('dialog', { name: /^Void the selected/ });
  await dialog.getByText('2 of the 3 selected codes can be voided.').waitFor();
  await dialog.getByLabel('Reason').fill('leaked');
  await dialog.getByLabel('Enter 2 codes to confirm').fill('2 codes');
  await dialog.getByRole('button', { name: 'Void the selected' }).click();
  await page.getByText('2 codes were voided.').waitFor();
  await page.getByText('Voided: 2').waitFor();
  await page
    .getByRole('row', { name: /BULK-2/ })
    .getByText('Redeemed')
    .waitFor();
});
