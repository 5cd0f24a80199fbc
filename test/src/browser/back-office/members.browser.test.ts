import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenMember, openOffice } from './office.fixture.ts';

let site: Site;
let id: string;
beforeAll(async () => {
  site = await createSite();
  id = await givenMember(site, 'mia@example.com', 'Mia Moss');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const award = (amount: number) =>
  site.stack.rest('POST', `/api/v2/members/${id}/points`, { as: site.key, body: { amount } });

test('a member is found by the whole e-mail address, which stays in the URL of the screen', async () => {
  const page = await openOffice(site, '/members');
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody@example.com');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('mia@example.com');
  await page.getByRole('link', { name: 'Mia Moss' }).click();
  await page.getByRole('heading', { name: 'Mia Moss' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Mia Moss' }).waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('mia@example.com');
  await page.reload();
  await page.getByRole('link', { name: 'Mia Moss' }).waitFor();
});

test('lists are paged forward and back', async () => {
  const query =
    'mutation ($input: [UpsertMemberInput!]!) { answer: upsertMembers(input: $input) { __typename } }';
  const input = Array.from({ length: 60 }, (_, at) => ({
    email: `page.${at}@example.com`,
    fullName: `Page ${at}`,
  }));
  await site.admin(query, { input });
  const page = await openOffice(site, '/members');
  await page.getByRole('row').nth(50).waitFor();
  const first = await page.getByRole('row').nth(1).textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Mia Moss' }).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('row').nth(50).waitFor();
  expect(await page.getByRole('row').nth(1).textContent()).toBe(first);
});

test('attributes are edited by the type of their field, and a wrong value is refused at its field', async () => {
  for (const input of [
    { key: 'drink', label: 'Favourite drink', type: 'ENUM', options: ['tea', 'espresso'] },
    { key: 'since', label: 'Guest since', type: 'DATE' },
    { key: 'note', label: 'Note', type: 'TEXT' },
    { key: 'sugar', label: 'Sugar', type: 'BOOLEAN' },
  ])
    await site.admin(
      'mutation ($input: DefineCustomFieldInput!) { answer: defineCustomField(input: $input) { id } }',
      { input },
    );
  const page = await openOffice(site, `/members/${id}`);
  const part = page.getByRole('region', { name: 'Attributes' });
  await part.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attributes' });
  await dialog.getByLabel('Favourite drink').selectOption('tea');
  await dialog.getByLabel('Sugar').selectOption('No');
  await dialog.getByLabel('Guest since').fill('2024-05-01');
  await dialog.getByLabel('Note').fill('4111 1111 1111 1111');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('input[aria-invalid=true]').waitFor();
  expect(await dialog.locator('input[aria-invalid=true]').inputValue()).toBe('4111 1111 1111 1111');
  expect(await dialog.getByLabel('Guest since').inputValue()).toBe('2024-05-01');
  await dialog.getByLabel('Note').fill('By the window');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await part.getByText('tea').waitFor();
  await part.getByText('2024-05-01').waitFor();
  await part.getByText('false').waitFor();
});

test('saving a member that somebody else changed needs a confirmation, and nothing typed is lost', async () => {
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit the member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the member' });
  await dialog.getByLabel('External ID').fill('crm-1');
  site.stack.services.clock.advance(1_000);
  await site.admin(
    'mutation ($id: ID!, $input: UpdateMemberInput!) { answer: updateMember(id: $id, input: $input) { id } }',
    { id, input: { phone: '+351911111111' } },
  );
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/Somebody changed the member/).waitFor();
  expect(await dialog.getByLabel('External ID').inputValue()).toBe('crm-1');
  await page.getByText('+351911111111').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('crm-1').waitFor();
  await page.getByText('+351911111111').waitFor();
});

test('points are awarded once, however often the button is pressed', async () => {
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.getByLabel('Points').fill('120');
  await dialog.getByRole('button', { name: 'Award points' }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  await balance(page).filter({ hasText: /^120$/ }).waitFor();
  const { body } = await site.stack.rest('GET', `/api/v2/members/${id}/points`, { as: site.key });
  expect(body.balance).toBe(120);
});

test('a call that got no answer is repeated with the same key, and done once', async () => {
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.getByLabel('Points').fill('7');
  let isCut = false;
  await page.route('**/graphql', async (route) => {
    if (isCut || !route.request().postData()?.includes('AwardPoints')) return route.continue();
    isCut = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await dialog.getByRole('button', { name: 'Award points' }).click();
  await dialog.getByText('it will be done only once').waitFor();
  expect(await dialog.getByLabel('Points').inputValue()).toBe('7');
  await dialog.getByRole('button', { name: 'Award points' }).click();
  await dialog.waitFor({ state: 'detached' });
  await balance(page).filter({ hasText: /^127$/ }).waitFor();
  const { body } = await site.stack.rest('GET', `/api/v2/members/${id}/points`, { as: site.key });
  expect(body.balance).toBe(127);
});

test.each([
  ['', 'This is required.'],
  ['0', 'Enter a number above 0.'],
  ['1000000', 'or less.'],
])('of %p points the sentence stands at the field', async (amount, sentence) => {
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.getByLabel('Points').fill(amount);
  await dialog.getByRole('button', { name: 'Award points' }).click();
  const field = dialog.getByLabel('Points');
  await dialog.locator('[aria-invalid=true]').waitFor();
  const described = (await field.getAttribute('aria-describedby'))!.split(' ');
  const texts = await Promise.all(described.map((each) => page.locator(`[id="${each}"]`).textContent()));
  expect(texts.join(' ')).toContain(sentence);
});

test('a change by an API client is shown in every window, without a reload', async () => {
  await site.stack.work();
  const page = await openOffice(site, `/members/${id}`);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await balance(second).filter({ hasText: /^127$/ }).waitFor();
  await page.waitForTimeout(500);
  expect((await award(73)).status).toBe(200);
  for (const each of [page, second]) await balance(each).filter({ hasText: /^200$/ }).waitFor();
});

test('a transaction is reversed from the ledger', async () => {
  const page = await openOffice(site, `/members/${id}/points`);
  await page.getByRole('row', { name: /73/ }).getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse' });
  await dialog.getByLabel('Reason').fill('a mistake');
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await page.getByText('Reversed', { exact: true }).waitFor();
  await page.getByText('127', { exact: true }).first().waitFor();
});

test('an erasure is requested and cancelled', async () => {
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Erase the member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase the member: Mia Moss' });
  await dialog.getByText('is erased after 30 days').waitFor();
  await dialog.getByRole('button', { name: 'Erase the member' }).click();
  await page.getByText('Will be erased after').waitFor();
  const { eraseAfter } = await site.admin<{ eraseAfter: string }>(
    `{ answer: member(id: "${id}") { eraseAfter } }`,
  );
  const days = (Date.parse(eraseAfter) - site.stack.services.clock.now().getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Cancel the erasure' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the erasure' }).click();
  await page.getByText('Will be erased after').first().waitFor({ state: 'detached' });
});
