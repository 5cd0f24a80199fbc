import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Page } from 'playwright-core';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenColleague, givenMember, openOffice, pick } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const award = (id: string, amount: number) =>
  site.admin(
    'mutation ($id: ID!, $amount: PositiveInt!) { answer: awardPoints(memberId: $id, input: { amount: $amount }) { id } }',
    { id, amount },
  );

/** Opens the menu of the member and chooses one of its acts. */
async function choose(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: act }).click();
}

test('points are exchanged for a coupon: its code is shown, and the balance follows', async () => {
  const id = await givenMember(site, 'cora@example.com', 'Cora Coupon');
  await award(id, 300);
  const pool = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Coffee", couponType: FREE_ITEM, discountDisplay: "a free coffee" }) { id } }`);
  await site.admin('mutation ($id: ID!) { answer: generateCoupons(poolId: $id, count: 3) { id } }', pool);
  const page = await openOffice(site, `/members/${id}`);
  await choose(page, 'Exchange points for a coupon');
  const dialog = page.getByRole('dialog', { name: 'Exchange points for a coupon' });
  await pick(page, dialog.getByLabel('Coupon pool'), 'coff', 'Coffee a free coffee · 3 available');
  await dialog.getByLabel('Points that are taken').fill('500');
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  await dialog.getByText('The member does not have that many points. Enter fewer.').waitFor();
  expect(await dialog.getByLabel('Points that are taken').inputValue()).toBe('500');
  await dialog.getByLabel('Points that are taken').fill('120');
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  const code = (await dialog.getByTestId('issued-code').textContent())!;
  await dialog.getByRole('button', { name: 'Copy' }).waitFor();
  await dialog.getByText('180', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await balance(page).filter({ hasText: /^180$/ }).waitFor();
  await page.getByRole('region', { name: 'Coupons' }).getByText(code).waitFor();
  await page.getByRole('link', { name: 'All transactions' }).click();
  await page.getByRole('cell', { name: `Coupon ${code}`, exact: true }).waitFor();
});

test('an activity shows what it was about and who did it, with links, also when it arrives live', async () => {
  await site.admin(
    'mutation { answer: createEarningRule(input: { kind: BASE, name: "Base", rate: 1 }) { id } }',
  );
  const id = await givenMember(site, 'lena@example.com', 'Lena Line');
  const order = await site.stack.graph<{ createOrder: { id: string } }>(
    `mutation ($id: ID!) { createOrder(input: { externalOrderId: "A-1042", memberId: $id, currency: "EUR",
      total: 5000, occurredAt: "2026-01-01T00:00:00Z" }) { id } }`,
    { id },
    site.key,
  );
  const page = await openOffice(site, `/members/${id}`);
  const lines = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
  const ofOrder = lines.filter({ hasText: 'order A-1042' });
  await ofOrder.filter({ hasText: 'by test' }).waitFor();
  await ofOrder.filter({ hasText: '+50' }).filter({ hasText: 'automatically' }).waitFor();
  await award(id, 7);
  await lines.filter({ hasText: '+7' }).filter({ hasText: 'by Ada Owner' }).waitFor();
  const link = ofOrder.getByRole('link', { name: 'order A-1042' }).first();
  expect(await link.getAttribute('href')).toBe(`/app/orders/${order.data.createOrder.id}`);
  await picture(page, 'member-activity');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await fitsWidth(page)).toBe(true);
});

test('a tier is set by hand until the end of a day, and ended', async () => {
  for (const input of [
    { name: 'Base', rank: 1, upgradeThreshold: 0, multiplier: 1 },
    { name: 'Gold', rank: 2, upgradeThreshold: 5_000, multiplier: 2 },
  ])
    await site.admin('mutation ($input: CreateTierInput!) { answer: createTier(input: $input) { id } }', {
      input,
    });
  const id = await givenMember(site, 'tilda@example.com', 'Tilda Tier');
  const page = await openOffice(site, `/members/${id}`);
  await choose(page, 'Set the tier by hand');
  const dialog = page.getByRole('dialog', { name: 'Set the tier by hand' });
  await dialog.getByLabel('Tier').selectOption('Gold');
  await dialog.getByLabel('Last day').fill('2001-01-01');
  await dialog.getByLabel('Reason').fill('A complaint');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('A complaint');
  await dialog.getByLabel('Last day').fill('2096-12-31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const points = page.getByRole('region', { name: 'Points' });
  await points.getByText('Gold').waitFor();
  await points.getByText('Set by hand until').waitFor();
  await choose(page, 'End the tier set by hand');
  await page.getByRole('dialog').getByRole('button', { name: 'End the tier set by hand' }).click();
  await points.getByText('Set by hand until').waitFor({ state: 'detached' });
  await points.getByText('Base').waitFor();
});

test('processing is restricted, and the restriction is ended', async () => {
  const id = await givenMember(site, 'rhea@example.com', 'Rhea Restricted');
  const page = await openOffice(site, `/members/${id}`);
  await choose(page, 'Restrict processing');
  await page.getByRole('dialog').getByRole('button', { name: 'Restrict processing' }).click();
  await page.getByText('Processing is restricted').waitFor();
  await choose(page, 'End the restriction');
  await page.getByRole('dialog').getByRole('button', { name: 'End the restriction' }).click();
  await page.getByText('Processing is restricted').waitFor({ state: 'detached' });
  await choose(page, 'History');
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  const changes = page.getByRole('cell', { name: 'Processing of a member restricted or allowed' });
  await changes.nth(1).waitFor();
  expect(await changes.count()).toBe(2);
});

test('the personal data of a member is collected, shown and downloaded as a file', async () => {
  const id = await givenMember(site, 'ella@example.com', 'Ella Export');
  const page = await openOffice(site, `/members/${id}`);
  await choose(page, 'Export personal data');
  const dialog = page.getByRole('dialog', { name: 'Export personal data' });
  await dialog.getByRole('button', { name: 'Collect the data' }).click();
  await dialog.getByText('Export personal data: Completed').waitFor();
  await dialog.getByRole('button', { name: 'Show the data' }).click();
  const shown = dialog.getByRole('textbox', { name: 'What is stored about the member' });
  await shown.getByText('"ella@example.com"').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download the file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`member-${id}.json`);
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.stringify(JSON.parse(text))).toContain('ella@example.com');
  expect(text).toContain('Ella Export');
});

test('an award over the cap is refused at its field, and what was typed is kept', async () => {
  const id = await givenMember(site, 'otto@example.com', 'Otto Over');
  const page = await openOffice(site, `/members/${id}/points`);
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.getByLabel('Points').fill('1000000');
  await dialog.getByLabel('Description').fill('A birthday');
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/graphql') && isAward(response.request())),
    dialog.getByRole('button', { name: 'Award points' }).click(),
  ]);
  expect((await answer.json()).errors[0].extensions).toMatchObject({ reason: 'AMOUNT_OVER_CAP' });
  const field = dialog.getByLabel('Points');
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('1000000');
  expect(await dialog.getByLabel('Description').inputValue()).toBe('A birthday');
  expect(await dialog.getByRole('alert').count()).toBe(0);
});

const isAward = (request: { postData(): string | null }): boolean =>
  request.postData()?.includes('AwardPoints') ?? false;

test('the balance is shown as a plot, a table and a file; ledger entries show who made them and why', async () => {
  const id = await givenMember(site, 'paul@example.com', 'Paul Plot');
  await award(id, 1_200);
  await site.admin(
    'mutation ($id: ID!) { answer: adjustPoints(memberId: $id, amount: -200, reason: "a mistake") { id } }',
    { id },
  );
  const page = await openOffice(site, `/members/${id}/points`);
  const plot = page.getByRole('region', { name: 'Balance' });
  await plot.getByText('1,000 points now, 1,000 more than 90 days ago').waitFor();
  await plot.getByRole('button', { name: 'Table' }).click();
  const rows = plot.getByRole('table', { name: 'Balance' }).getByRole('row');
  expect(await rows.count()).toBe(91);
  expect(await rows.nth(1).getByRole('cell').last().textContent()).toBe('0');
  expect(await rows.last().getByRole('cell').last().textContent()).toBe('1,000');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    plot.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect([lines[0], lines.at(-1)!.split(',')[1]]).toEqual(['Day,Balance', '1000']);
  const ledger = page.getByRole('table', { name: 'Points' });
  await ledger
    .getByRole('row', { name: /a mistake.*Ada Owner/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Adjust points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adjust points' });
  await dialog.getByLabel('Change').fill('50');
  await dialog.getByLabel('Reason').fill('found again');
  await dialog.getByRole('button', { name: 'Adjust points' }).click();
  await plot.getByText('1,050 points now, 1,050 more than 90 days ago').waitFor();
});

test('visits, messages and records are tabs, and the URL names the tab', async () => {
  const id = await givenMember(site, 'vera@example.com', 'Vera Visit');
  await site.admin('mutation { answer: createStore(input: { name: "Harbour", address: "Quay 1" }) { id } }');
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('tab', { name: 'Visits and receipts' }).click();
  await page.getByRole('button', { name: 'Record a visit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a visit' });
  await pick(page, dialog.getByLabel('Store'), 'harb', 'Harbour');
  await dialog.getByRole('button', { name: 'Record a visit' }).click();
  const visits = page.getByRole('table', { name: 'Visits' });
  await visits.getByRole('cell', { name: 'Harbour' }).waitFor();
  await page.reload();
  await visits.getByRole('cell', { name: 'Harbour' }).waitFor();
  expect(await page.getByRole('region', { name: 'Receipts' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByText('No message was sent to this member.').waitFor();
  expect(await page.getByRole('tab', { name: 'Records' }).count()).toBe(0);
});

test('receipts and records of custom objects show where their module is on', async () => {
  for (const key of ['receipts', 'custom_objects'])
    await site.admin(`mutation { answer: setModule(key: "${key}", enabled: true) { key } }`);
  const id = await givenMember(site, 'rose@example.com', 'Rose Record');
  await site.admin(`mutation { answer: submitReceipt(input: {
    memberId: "${id}", image: "${drawReceipt(receiptLines())}" }) { id } }`);
  await site.admin(
    `mutation { answer: defineObjectType(input: { type: "pet", label: "Pets", fields: [
      { key: "owner", label: "Owner", type: MEMBER_REF }, { key: "name", label: "Name", type: TEXT }] }) { id } }`,
  );
  await site.admin('mutation { answer: publishObjectType(type: "pet") { id } }');
  await site.admin(
    'mutation ($data: JSONObject!) { answer: createRecord(type: "pet", data: $data) { id } }',
    { data: { owner: id, name: 'Bello' } },
  );
  const page = await openOffice(site, `/members/${id}?tab=records`);
  await page.getByRole('table', { name: 'Pets' }).getByRole('cell', { name: 'Bello' }).waitFor();
  await page.getByRole('tab', { name: 'Visits and receipts' }).click();
  await page
    .getByRole('table', { name: 'Receipts' })
    .getByRole('cell', { name: /Submitted|In review/ })
    .waitFor();
});

test('an unsubscribed address shows why no mail is sent', async () => {
  const id = await givenMember(site, 'una@example.com', 'Una Unsubscribed');
  const page = await openOffice(site, `/members/${id}`);
  const mail = page.getByRole('region', { name: 'E-mail' });
  await mail.getByText('Mail may be sent to this address.').waitFor();
  await choose(page, 'Unsubscribe from mail');
  const dialog = page.getByRole('dialog', { name: 'Unsubscribe from mail: una@example.com' });
  await dialog.getByLabel('Enter una@example.com to confirm').fill('una@example.com');
  await dialog.getByRole('button', { name: 'Unsubscribe from mail' }).click();
  await mail.getByText('Unsubscribed').waitFor();
});

test('a colleague sees only the acts of their role', async () => {
  const person = await givenColleague(site, 'MEMBER');
  const id = await givenMember(site, 'mara@example.com', 'Mara Member');
  const page = await openOffice(site, `/members/${id}`, { person });
  await page.getByRole('heading', { name: 'Mara Member' }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit the member' }).waitFor();
  for (const act of ['Set the tier by hand', 'Restrict processing', 'Export personal data', 'History'])
    expect(await page.getByRole('menuitem', { name: act }).count()).toBe(0);
});
