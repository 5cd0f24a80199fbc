import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenMember, openOffice, pick } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

test('receipts are reviewed by keyboard, one after the other', async () => {
  await site.admin('mutation { answer: setModule(key: "receipts", enabled: true) { key } }');
  await site.admin(
    `mutation { answer: createEarningRule(input: {
      kind: BASE, name: "receipts", appliesTo: RECEIPT, priority: 1, rate: 1, isActive: true }) { id } }`,
  );
  const id = await givenMember(site, 'rita@example.com', 'Rita Receipt');
  for (const day of ['2026-03-01', '2026-03-02'])
    await site.admin(`mutation { answer: submitReceipt(input: {
      memberId: "${id}", image: "${drawReceipt(receiptLines({ day }))}" }) { id } }`);
  await eventually(async () => {
    const waiting = '{ answer: receipts(status: IN_REVIEW) { totalCount } }';
    expect(await site.admin(waiting)).toEqual({ totalCount: 2 });
  });
  const page = await openOffice(site, '/');
  await page.getByRole('link', { name: '2 receipts wait for review' }).click();
  await page.getByRole('region', { name: 'Review: 1 of 2' }).waitFor();
  await page.getByRole('img', { name: 'Picture of the receipt' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Review: 2 of 2' }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('region', { name: 'Review: 1 of 2' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('region', { name: 'Review: 1 of 1' }).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject' });
  await dialog.getByLabel('Reason').fill('Not from our shop');
  await page.keyboard.press('Enter');
  await page.getByText('All receipts are reviewed.').waitFor();
  await page.goto(`${site.stack.url}/app/members/${id}`);
  await balance(page)
    .filter({ hasText: /^[1-9]/ })
    .waitFor();
});

test('the page of a member says why the model predicts nothing', async () => {
  const id = await givenMember(site, 'nora@example.com', 'Nora New');
  const page = await openOffice(site, `/members/${id}`);
  const outlook = page.getByRole('region', { name: 'What comes next' });
  await outlook.getByText('Not known yet: fewer than 3 days with a purchase.').waitFor();
});

test('members are filtered and ordered; the address keeps it, and going back undoes it', async () => {
  const ids = [
    await givenMember(site, 'few@example.com', 'Fay Few'),
    await givenMember(site, 'many@example.com', 'Max Many'),
  ];
  for (const [place, amount] of [30, 400].entries())
    await site.admin(
      `mutation { answer: awardPoints(memberId: "${ids[place]}", input: { amount: ${amount} }) { id } }`,
    );
  const page = await openOffice(site, '/members');
  const names = async () =>
    await page.getByRole('table', { name: 'Members' }).getByRole('link').allTextContents();
  await page.getByLabel('Order').selectOption('Most points');
  await page.getByRole('link', { name: 'Max Many' }).first().waitFor();
  await eventually(async () => expect((await names())[0]).toBe('Max Many'));
  await page.getByLabel('Points from').fill('100');
  await page.getByRole('link', { name: 'Fay Few' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('link', { name: 'Max Many' }).waitFor();
  expect(await page.getByLabel('Points from').inputValue()).toBe('100');
  expect(await page.getByRole('link', { name: 'Fay Few' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByRole('link', { name: 'Fay Few' }).waitFor();
});

test('an award to all members of a filter shows their number, and its progress to the end', async () => {
  await givenMember(site, 'bulk@example.com', 'Bo Bulk');
  const page = await openOffice(site, '/members?status=ACTIVE');
  await page.getByRole('button', { name: 'Award points to all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points to all' });
  await dialog.getByText(/\d+ members get these points\./).waitFor();
  await dialog.getByText('All members with Status: Active').waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.locator('[aria-invalid=true]').first().waitFor();
  await dialog.getByLabel('Points').fill('3');
  await dialog.getByLabel('Description').fill('Anniversary');
  await dialog.getByText(/That makes \d+ points in all\./).waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Award these points for “Anniversary”?').waitFor();
  await dialog.getByRole('button', { name: /^Award \d+ points$/ }).click();
  await page.getByText('3 points each: Completed').waitFor();
  await page
    .getByRole('row', { name: /Bo Bulk/ })
    .getByText('3', { exact: true })
    .waitFor();
});

test('the plots of the home page can also be shown as tables and saved as files', async () => {
  const page = await openOffice(site, '/');
  const plot = page.getByRole('region', { name: 'New members' });
  await plot.getByRole('img', { name: /New members\. .* in 28 days/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    plot.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(download.suggestedFilename()).toBe('New members.csv');
  expect(lines[0]).toBe('Day,Before,New members');
  expect(lines).toHaveLength(29);
  await plot.getByRole('button', { name: 'Table' }).click();
  expect(await plot.getByRole('table', { name: 'New members' }).getByRole('row').count()).toBe(29);
});

/** Makes a member with enough orders for the model to score. */
async function givenBuyer(email: string, name: string): Promise<string> {
  const memberId = await givenMember(site, email, name);
  for (const daysAgo of [100, 70, 40, 10]) {
    const occurredAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    const items = [{ name: 'Coffee', quantity: 1, unitPrice: 5_000 }];
    const externalOrderId = `${name} ${daysAgo}`;
    const body = { externalOrderId, memberId, currency: 'EUR', total: 5_000, items, occurredAt };
    expect((await site.stack.rest('POST', '/api/v2/orders', { as: site.key, body })).status).toBe(201);
  }
  const query = `mutation { answer: callCapability(name: "model_predict_purchase",
    arguments: { member_id: "${memberId}" }) { envelope { status } } }`;
  await eventually(async () => expect(await site.admin(query)).toEqual({ envelope: { status: 'OK' } }));
  return memberId;
}

test('a form asks the model: it shows a wrong value at its field, then the answer and its cost', async () => {
  const memberId = await givenBuyer('mona@example.com', 'Mona Model');
  const page = await openOffice(site, '/credits');
  await page.getByRole('button', { name: 'Ask the model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask the model' });
  await dialog.getByLabel('Question').selectOption('Predict purchase');
  await dialog.getByText('It costs at most 10 credits.').waitFor();
  await dialog.getByRole('button', { name: 'Ask the model' }).click();
  await dialog.getByText('This is required.').waitFor();
  await pick(page, dialog.getByLabel('Member id'), 'mona', 'Mona Model');
  const horizon = dialog.getByLabel('Horizon days');
  await horizon.fill('400');
  await dialog.getByRole('button', { name: 'Ask the model' }).click();
  await dialog.getByText('Enter a number from 1 to 365.').waitFor();
  expect(await horizon.getAttribute('aria-invalid')).toBe('true');
  await horizon.fill('60');
  await dialog.getByRole('button', { name: 'Ask the model' }).click();
  const answer = page.getByRole('dialog', { name: 'Answer of the model' });
  await answer.getByText('Credits charged').waitFor();
  const said = await answer.textContent();
  expect(said).toMatch(/Credits charged\s*10(?!\d)/);
  expect(said).toContain(memberId);
  await answer.getByRole('button', { name: 'Ask again' }).click();
  await dialog.getByLabel('Question').waitFor();
});

test('an owner whose trial is used up sees why answers are refused, and activates paid service', async () => {
  // A wallet is made when it is first read.
  await site.admin('{ answer: wallet { plan } }');
  const used = await site.stack.services.database.sql.query(
    'UPDATE model.wallets SET trial_used = 50000 WHERE workspace_id = $1 RETURNING 1',
    [site.owner.workspaceId],
  );
  expect(used).toHaveLength(1);
  const page = await openOffice(site, '/credits');
  const refusal = page.getByText('The trial credits are used up.');
  await refusal.waitFor();
  await page.getByRole('button', { name: 'Activate paid service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate paid service' });
  await dialog.getByText('The whole balance may then be used').waitFor();
  await dialog.getByRole('button', { name: 'Activate paid service' }).click();
  await page.getByText('Paid service is active.').waitFor();
  await refusal.waitFor({ state: 'detached' });
  expect(await site.admin('{ answer: wallet { plan paidActive } }')).toEqual({
    plan: 'PAID',
    paidActive: true,
  });
  await page.getByRole('button', { name: 'End paid service' }).waitFor();
});
