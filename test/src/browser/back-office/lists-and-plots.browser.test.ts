import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sumPoints } from '@loyalty/loyalty-subgraph/points/liability.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const order = (memberId: string, externalOrderId: string, currency: string, total: number) =>
  site.stack.rest('POST', '/api/v2/orders', {
    as: site.key,
    body: { externalOrderId, memberId, currency, total, occurredAt: new Date().toISOString() },
  });

test('a plot shows each day by pointer and arrow keys, says that today is not over, and leaves out no currency', async () => {
  const id = await givenMember(site, 'ola@example.com', 'Ola Order');
  expect((await order(id, 'E-1', 'EUR', 5_000)).status).toBe(201);
  expect((await order(id, 'J-1', 'JPY', 700)).status).toBe(201);
  await site.stack.work();
  const page = await openOffice(site, '/');
  const sales = page.getByRole('region', { name: 'Sales' });
  await sales.getByRole('heading', { name: /€50 in 28 days/ }).waitFor();
  await sales.getByTestId('unfinished-day').waitFor();
  const days = sales.getByRole('slider');
  await days.focus();
  await sales.getByText(/\(today, so far\)/).waitFor();
  expect(await days.getAttribute('aria-valuetext')).toMatch(/today, so far.*Sales: €50/);
  await page.keyboard.press('ArrowLeft');
  expect(await days.getAttribute('aria-valuetext')).toMatch(/Sales: €0/);
  await sales.getByText('Sales: €0').waitFor();
  const { x, y, width, height } = (await sales.locator('svg[role=img]').boundingBox())!;
  await page.mouse.move(x + width - 2, y + height / 2);
  await sales.getByText('Sales: €50').waitFor();
  await sales.getByLabel('Currency').selectOption('JPY');
  await sales.getByRole('heading', { name: /¥700 in 28 days/ }).waitFor();
  expect(await sales.locator('svg[role=img] text').count()).toBeGreaterThanOrEqual(6);
  await sales.getByRole('button', { name: 'Table' }).click();
  await sales.getByRole('cell', { name: /today, so far/ }).waitFor();
});

test('the points liability is one press away, by month of expiry and by tier', async () => {
  const id = await givenMember(site, 'pia@example.com', 'Pia Points');
  await site.admin('mutation { answer: updateProgram(input: { pointsExpireAfterDays: 400 }) { tierBasis } }');
  await site.admin(`mutation { answer: awardPoints(memberId: "${id}", input: { amount: 1234 }) { id } }`);
  const caller = systemCaller('test', { mode: 'LIVE', workspaceId: site.owner.workspaceId });
  await sumPoints(createContext(site.stack.services, { caller, requestId: 'test' }));
  const page = await openOffice(site, '/');
  await page.getByRole('link', { name: /^Points outstanding\s*1,234/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Points liability' }).waitFor();
  await page.getByRole('heading', { name: /^1,234 points expire in \w+ \d{4}$/ }).waitFor();
  const tiers = page.getByRole('region', { name: 'Points outstanding by tier' });
  await tiers.getByRole('row', { name: /No tier\s*1,234/ }).waitFor();
  const file = page.waitForEvent('download');
  await tiers.getByRole('button', { name: 'CSV' }).click();
  expect(await readFile(await (await file).path(), 'utf8')).toMatch(/No tier,1234/);
});

test('the number of active members links to a list of exactly those members', async () => {
  const page = await openOffice(site, '/');
  await page.getByRole('link', { name: /^Active members/ }).click();
  await page.getByRole('heading', { name: 'Members', exact: true }).waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('ACTIVE');
});

test('the ledger shows the number of an order, which links to the order', async () => {
  const id = await givenMember(site, 'leo@example.com', 'Leo Ledger');
  await site.admin(`mutation { answer: createEarningRule(input: {
    kind: BASE, name: "one", appliesTo: ORDER, priority: 1, rate: 1, isActive: true }) { id } }`);
  expect((await order(id, 'L-77', 'EUR', 5_000)).status).toBe(201);
  await site.stack.work();
  const page = await openOffice(site, `/members/${id}/points`);
  const row = page.getByRole('table', { name: 'Points' }).getByRole('row', { name: /Order L-77/ });
  await row.waitFor();
  expect(await row.textContent()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  await row.getByRole('link', { name: 'L-77' }).click();
  await page.getByRole('heading', { name: 'Order L-77' }).waitFor();
});

test('an import that was read but not started is marked, and is opened again or discarded', async () => {
  const page = await openOffice(site, '/imports');
  for (const name of ['Ann', 'Ben']) {
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import a file' });
    await page.locator('input[type="file"]').setInputFiles({
      name: 'members.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`email,name\n${name.toLowerCase()}@example.com,${name}\n`),
    });
    await dialog.getByRole('button', { name: 'Read the file' }).click();
    await dialog.getByRole('button', { name: 'Show the first rows' }).click();
    await dialog.getByRole('cell', { name: `${name.toLowerCase()}@example.com` }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  const rows = page.getByRole('row', { name: /Not started yet/ });
  await rows.nth(1).waitFor();
  await rows.first().getByRole('button', { name: 'Throw away' }).click();
  const stop = page.getByRole('dialog', { name: 'Throw away: Members, CSV' });
  await stop.getByRole('button', { name: 'Throw away' }).click();
  await page.getByRole('row', { name: /Cancelled/ }).waitFor();
  await rows.getByRole('button', { name: 'Open' }).click();
  const preview = page.getByRole('dialog', { name: 'Import a file' });
  await preview.getByRole('button', { name: 'Show the first rows' }).click();
  await preview.getByRole('cell', { name: 'ann@example.com' }).waitFor();
  await preview.getByRole('button', { name: 'Start the import' }).click();
  await preview.getByText('New: 1').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /Completed/ }).waitFor();
  await page.reload();
  await page.getByRole('row', { name: /Completed/ }).waitFor();
  expect(await rows.count()).toBe(0);
});

test('a search without a match offers to clear it; only a list without any rows names the API call', async () => {
  const page = await openOffice(site, '/members?search=nobody%40example.com');
  await page.getByText('Nothing matches.').waitFor();
  expect(await page.getByText('/api/v2/').count()).toBe(0);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByRole('row').nth(1).waitFor();
  await page.goto(`${site.stack.url}/app/coupons?status=PAUSED`);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByText('There are no coupon pools yet.').waitFor();
  await page.getByText('createCouponPool').waitFor();
});

test('the audit log says in words what somebody did, and links to what was changed', async () => {
  await site.admin(`mutation { answer: createCouponPool(input: {
    name: "Autumn", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  const page = await openOffice(site, '/audit');
  const table = page.getByRole('table', { name: 'Audit log' });
  const row = table.getByRole('row', { name: /Ada Owner Coupon pool added Coupon pool · Autumn/ });
  await row.waitFor();
  expect(await table.textContent()).not.toMatch(/createCouponPool|CouponPool/);
  await page.getByLabel('Action').selectOption({ label: 'Tier added' });
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Action').selectOption({ label: 'Coupon pool added' });
  await row.getByRole('link', { name: 'Autumn' }).click();
  await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
});
