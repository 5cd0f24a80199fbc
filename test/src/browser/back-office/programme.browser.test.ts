import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenColleague, givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

test('tiers are added, and a preview shows what a recalculation would change', async () => {
  const id = await givenMember(site, 'tina@example.com', 'Tina Tall');
  await site.admin(`mutation { answer: awardPoints(memberId: "${id}", input: { amount: 900 }) { id } }`);
  const page = await openOffice(site, '/tiers');
  for (const [name, rank, from] of [
    ['Base', '1', '0'],
    ['Gold', '2', '500'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a tier' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a tier' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Rank').fill(rank);
    await dialog.getByLabel('From points').fill(from);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name, exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText(/move up/).waitFor();
  await page.getByRole('button', { name: 'Recalculate tiers' }).click();
  await page.getByText('Recalculate tiers: Completed').waitFor();
});

test('a tier with the rank of another one is refused, and the form keeps its values', async () => {
  const page = await openOffice(site, '/tiers');
  await page.getByRole('button', { name: 'Add a tier' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tier' });
  await dialog.getByLabel('Name').fill('Gold');
  await dialog.getByLabel('Rank').fill('9');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[aria-invalid=true], [role=alert]').first().waitFor();
  expect(await dialog.getByLabel('Rank').inputValue()).toBe('9');
});

test('five thousand coupons are generated, and their number is updated', async () => {
  const page = await openOffice(site, '/coupons');
  await page.getByRole('button', { name: 'Add a coupon pool' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a coupon pool' });
  await dialog.getByLabel('Coupon pool').fill('Autumn');
  await dialog.getByLabel('Discount').fill('10%');
  await dialog.getByRole('button', { name: 'Add a coupon pool' }).click();
  await page.getByRole('link', { name: 'Autumn' }).click();
  await page.getByRole('button', { name: 'Generate codes' }).click();
  const generate = page.getByRole('dialog', { name: 'Generate codes' });
  await generate.getByLabel('Number of codes').fill('5000');
  await generate.getByRole('button', { name: 'Generate codes' }).click();
  await page.getByText('Available: 5,000').waitFor();
});

test('a refund takes back the points that the order earned', async () => {
  const id = await givenMember(site, 'oda@example.com', 'Oda Order');
  await site.admin(
    `mutation { answer: createEarningRule(input: {
      kind: BASE, name: "one", appliesTo: ORDER, priority: 1, rate: 1, isActive: true }) { id } }`,
  );
  const placed = await site.stack.rest('POST', '/api/v2/orders', {
    as: site.key,
    body: {
      externalOrderId: 'A-1',
      memberId: id,
      currency: 'EUR',
      total: 5_000,
      occurredAt: new Date().toISOString(),
    },
  });
  expect(placed.status).toBe(201);
  const page = await openOffice(site, '/orders');
  const row = page.getByRole('row', { name: /A-1/ });
  await row.getByText('€50.00').waitFor();
  await row.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund: A-1' });
  await dialog.getByLabel('Reason').fill('broken');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await row.getByText('Refunded', { exact: true }).waitFor();
});

test('the secret of a key is shown once, and its calls appear', async () => {
  const page = await openOffice(site, '/keys');
  await page.getByRole('button', { name: 'Add a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a key' });
  await dialog.getByLabel('Name').fill('Till');
  await dialog.getByRole('button', { name: 'Till' }).click();
  await dialog.getByText('8 chosen').waitFor();
  await dialog.getByRole('checkbox', { name: 'points:write' }).uncheck();
  await dialog.getByRole('button', { name: 'Add a key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const secret = (await shown.locator('pre').textContent())!.trim();
  expect(secret).toMatch(/^lk_live_/);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  expect((await site.stack.rest('GET', '/api/v2/members', { as: secret })).status).toBe(200);
  await page.getByRole('row', { name: /Till/ }).getByRole('link', { name: 'Calls' }).click();
  await page.getByText('REST GET /api/v2/members').waitFor();
  await page.goBack();
  await page.getByRole('row', { name: /Till/ }).getByRole('button', { name: 'Revoke' }).click();
  const revoke = page.getByRole('dialog', { name: 'Revoke: Till' });
  await revoke.getByLabel('Enter Till to confirm').fill('Till');
  await revoke.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /Till/ }).getByText('Revoked').waitFor();
  expect((await site.stack.rest('GET', '/api/v2/members', { as: secret })).status).toBe(401);
});

test('failed calls of an integration are found by their outcome, and one call by its request id', async () => {
  const { secret } = await site.admin<{ secret: string }>(`mutation { answer: createApiKey(input: {
    name: "Shop", scopes: ["members:read"], mode: LIVE }) { secret } }`);
  const call = (path: string, requestId: string) =>
    site.stack.rest('GET', path, { as: secret, headers: { 'x-request-id': requestId } });
  await call('/api/v2/members', 'shop-fine');
  await call(`/api/v2/members/${randomUUID()}`, 'shop-unknown');
  await call('/api/v2/orders', 'shop-refused');
  const page = await openOffice(site, '/');
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  const row = (requestId: string) => page.getByRole('row', { name: requestId });
  await row('shop-refused').getByText('Shop', { exact: true }).waitFor();
  await page.getByLabel('Outcome').selectOption('Refused or failed');
  await row('shop-fine').waitFor({ state: 'detached' });
  const why = row('shop-refused').getByRole('link', { name: 'SCOPE_MISSING' });
  expect(await why.getAttribute('href')).toBe('/docs/errors/SCOPE_MISSING');
  await row('shop-unknown').getByRole('link', { name: 'MEMBER_NOT_FOUND' }).waitFor();
  await call(`/api/v2/members/${randomUUID()}`, 'shop-live');
  await row('shop-live').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByLabel('Request id').fill('shop-fine');
  await row('shop-unknown').waitFor({ state: 'detached' });
  await page.reload();
  await row('shop-fine').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
});

test('a file is read, previewed and imported, and a second window shows the progress', async () => {
  const page = await openOffice(site, '/imports');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByText('Nothing was imported yet.').waitFor();
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  const content = 'email,name,colour\nann@example.com,Ann,red\nnot an address,Bob,blue\n';
  await page.locator('input[type="file"]').setInputFiles({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(content),
  });
  await dialog.getByRole('button', { name: 'Read the file' }).click();
  await dialog.getByRole('button', { name: 'Show the first rows' }).click();
  await dialog.getByText('Columns that are not used: colour').waitFor();
  await dialog.getByRole('cell', { name: 'ann@example.com' }).waitFor();
  await dialog.getByRole('button', { name: 'Start the import' }).click();
  await dialog.getByText('Completed with errors').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Completed with errors').first().waitFor();
  await page.getByRole('button', { name: 'Show problems' }).click();
  await page.getByRole('dialog').getByRole('cell', { name: '3', exact: true }).waitFor();
  await second.reload();
  await second.getByText('Completed with errors').first().waitFor();
});

test('settings keep a refused value in the form, and show what was saved', async () => {
  const page = await openOffice(site, '/settings');
  await page.getByRole('button', { name: 'Edit: Workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Workspace' });
  await dialog.getByRole('textbox', { name: 'Currency' }).fill('XXQ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[aria-invalid=true], [role=alert]').first().waitFor();
  await dialog.getByRole('textbox', { name: 'Currency' }).fill('CHF');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('CHF').waitFor();
});

test('a colleague is invited, and the invitation revoked', async () => {
  const page = await openOffice(site, '/team');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill('nora@example.com');
  await dialog.getByLabel('Role').selectOption('ADMIN');
  await dialog.getByRole('button', { name: 'Invite a person' }).click();
  const row = page.getByRole('row', { name: /nora@example.com/ });
  await row.getByText('Pending').waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  const revoke = page.getByRole('dialog', { name: 'Revoke: nora@example.com' });
  await revoke.getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
});

test('a second window shows by itself who joins the team, changes role and leaves', async () => {
  const page = await openOffice(site, '/team');
  const invited = page.getByRole('row', { name: /second@example.com/ });
  await page.getByRole('row', { name: /Ada Owner/ }).waitFor();
  const colleague = await givenColleague(site, 'MEMBER', 'second@example.com');
  await invited.filter({ hasText: 'Accepted' }).waitFor();
  const person = page.getByRole('row', { name: /Col League/ });
  const role = person.getByLabel('Role of Col League');
  await eventually(async () => expect(await role.inputValue()).toBe('MEMBER'));
  const hers = await openOffice(site, '/team', { person: colleague });
  const { nodes } = await site.admin<{ nodes: { id: string; user: { name: string } }[] }>(
    '{ answer: teamMembers { nodes { id user { name } } } }',
  );
  const { id } = nodes.find(({ user }) => user.name === 'Col League')!;
  await site.admin(`mutation { answer: setTeamRole(userId: "${id}", role: ADMIN) { id } }`);
  await eventually(async () => expect(await role.inputValue()).toBe('ADMIN'));
  await hers
    .getByRole('row', { name: /Col League/ })
    .getByRole('button', { name: 'Leave' })
    .click();
  const leave = hers.getByRole('dialog');
  await leave.getByRole('button', { name: /Remove/ }).click();
  await person.waitFor({ state: 'detached' });
});
