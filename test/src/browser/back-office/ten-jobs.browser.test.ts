import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { linkToken } from '../../harness/mailed-links.ts';
import { picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { balance } from './office.fixture.ts';
import { signIn } from './sign-in.ts';
import {
  atHome,
  button,
  countedJobs,
  countedPage,
  givenProgramme,
  givenReceipt,
  screen,
} from './ten-jobs.fixture.ts';

let site: Site;
/** The id of the member whose receipt is reviewed. */
let mia: string;
beforeAll(async () => {
  site = await createSite();
  mia = await givenProgramme(site);
});
afterEach(() => site.endVisits());
afterAll(() => site.close());
const finish = countedJobs();

test('1: a member is found by first name, and the points are corrected', async () => {
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(screen(page, 'Members'));
  await page.getByRole('searchbox', { name: 'Search' }).fill('ben');
  await page.getByRole('link', { name: 'Mia Moss' }).waitFor({ state: 'detached' });
  await click(page.getByRole('link', { name: 'Ben Birch' }));
  await click(button(page, 'More'));
  await click(page.getByRole('menuitem', { name: 'Adjust points' }));
  const dialog = page.getByRole('dialog', { name: 'Adjust points' });
  await dialog.getByLabel('Change, negative to take points away').fill('25');
  await dialog.getByLabel('Reason').fill('The till was offline');
  await click(button(dialog, 'Adjust points'));
  await balance(page).filter({ hasText: /^25$/ }).waitFor();
  await finish('1 fix points', counted, 5);
});

test('2: the home screen shows how many points are owed, and one screen shows the details', async () => {
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(page.getByRole('main').getByRole('link', { name: /Points outstanding\s*90/ }));
  await page.getByRole('heading', { level: 1, name: 'Points liability' }).waitFor();
  await page.getByRole('region', { name: 'Points outstanding by tier' }).waitFor();
  await finish('2 see the points liability', counted, 1);
});

test('3: a failed call of an integration shows why it failed, and what to do about it', async () => {
  const counted = await atHome(site);
  const { page, click, choose } = counted;
  await click(screen(page, 'Calls'));
  const fine = page.getByRole('row', { name: 'REST GET /api/v2/members' });
  await fine.waitFor();
  await choose(page.getByLabel('Outcome'), 'Refused or failed');
  await fine.waitFor({ state: 'detached' });
  await picture(page, 'job 3 calls');
  const opening = page.waitForEvent('popup');
  await click(page.getByRole('row', { name: 'Shop' }).getByRole('link', { name: 'SCOPE_MISSING' }));
  const explained = await opening;
  await explained.getByRole('heading', { name: 'SCOPE_MISSING' }).waitFor();
  await picture(explained, 'job 3 explained');
  await finish('3 find out why a call failed', counted, 4);
});

test('4: a file with other headers is imported, and its wrong row is named', async () => {
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(screen(page, 'Imports'));
  await click(button(page, 'Import a file'));
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  const choosing = page.waitForEvent('filechooser');
  await click(dialog.getByLabel('File', { exact: true }));
  const buffer = Buffer.from('Correo,Nombre,Nivel\nada@example.com,Ada Able,1\nnobody,Bo,2\n');
  await (await choosing).setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer });
  await click(button(dialog, 'Read the file'));
  await dialog.getByLabel('Column Correo fills').waitFor();
  await picture(page, 'job 4 columns');
  await click(button(dialog, 'Show the first rows'));
  await dialog.getByText('Row 3: E-mail address: Enter a full e-mail address').waitFor();
  await picture(page, 'job 4 rows');
  await click(button(dialog, 'Start the import'));
  await dialog.getByText('Refused: 1').waitFor();
  await finish('4 import a file with other headers', counted, 6);
});

test('5: the members of the last 30 days are exported, and the file is saved', async () => {
  const counted = await atHome(site);
  const { page, click, choose } = counted;
  await click(screen(page, 'Members'));
  await choose(page.getByLabel('Joined'), 'Last 30 days');
  await page.waitForURL(/from=/);
  await click(button(page, 'Export'));
  const dialog = page.getByRole('dialog', { name: 'Export: Members' });
  await click(button(dialog, 'Start the export'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    click(dialog.getByRole('button', { name: /^Download members-/ })),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('Mia Moss');
  await picture(page, 'job 5 dialog');
  await page.keyboard.press('Escape');
  await click(screen(page, 'Exports'));
  await page.getByRole('table', { name: 'Exports' }).getByText('Completed').waitFor();
  await finish('5 export the members of a period', counted, 7);
});

test('6: a colleague is invited by mail, joins by its link and works', async () => {
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(screen(page, 'Team'));
  await click(button(page, 'Invite a person'));
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  const person = { email: 'nora@example.com', password: 'a password of Nora alone' };
  await dialog.getByLabel('E-mail').fill(person.email);
  await click(button(dialog, 'Invite a person'));
  await page
    .getByRole('row', { name: /nora@example.com/ })
    .getByText('Pending')
    .waitFor();
  await picture(page, 'job 6 invited');
  await site.stack.work();
  const token = await eventually(() => linkToken(site.stack, person.email, 'invitation'));
  counted.count();
  const { page: hers } = await site.open(`/invitation#token=${token}`, { width: 1280 });
  await hers.locator('#name').fill('Nora New');
  await hers.locator('#password').fill(person.password);
  await picture(hers, 'job 6 invitation');
  await click(hers.locator('form button[type="submit"]'));
  await click(hers.getByRole('link', { name: 'Sign in to the back office' }));
  counted.count();
  await signIn(hers, person);
  await hers.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await picture(hers, 'job 6 joined');
  await page.reload();
  await page.getByRole('row', { name: /Nora New/ }).waitFor();
  await finish('6 invite a colleague', counted, 7);
});

test('7: a receipt is compared with its picture, corrected and approved', async () => {
  await givenReceipt(site, mia);
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(page.getByRole('link', { name: '1 receipt waits for review' }));
  await page.getByText('By the rules: 6 points').waitFor();
  await page.getByLabel('Total', { exact: true }).fill('12.50');
  await page.getByText('By the rules: 12 points').waitFor();
  await picture(page, 'job 7 review');
  await click(page.getByRole('button', { name: /^Approve/ }));
  await page.getByText('All receipts are reviewed.').waitFor();
  await finish('7 correct a receipt', counted, 2);
});

test('8: a code is voided', async () => {
  const counted = await atHome(site);
  const { page, click, enter } = counted;
  await click(screen(page, 'Coupons'));
  await page.getByRole('searchbox', { name: 'Code' }).fill('autumn-1');
  await enter();
  const found = page.getByRole('region', { name: 'AUTUMN-1' });
  await click(button(found, 'Void'));
  const dialog = page.getByRole('dialog', { name: 'Void: AUTUMN-1' });
  await dialog.getByLabel('Reason').fill('Printed twice');
  await dialog.getByLabel('Enter AUTUMN-1 to confirm').fill('AUTUMN-1');
  await picture(page, 'job 8 question');
  await click(button(dialog, 'Void'));
  await button(found, 'Void').waitFor({ state: 'detached' });
  await finish('8 void a code', counted, 4);
});

test('9: an award to many members shows their number first, and going back awards nothing', async () => {
  const counted = await atHome(site);
  const { page, click } = counted;
  await click(screen(page, 'Members'));
  await click(button(page, 'Award points to all'));
  const dialog = page.getByRole('dialog', { name: 'Award points to all' });
  await dialog.getByLabel('Points').fill('500');
  await dialog.getByLabel('Description').fill('Anniversary');
  await dialog.getByText(/That makes [\d,]+ points in all\./).waitFor();
  await click(button(dialog, 'Continue'));
  await dialog.getByText('Award these points for “Anniversary”?').waitFor();
  await picture(page, 'job 9 question');
  await click(button(dialog, 'Cancel'));
  await dialog.waitFor({ state: 'detached' });
  expect(await site.admin('{ answer: bulkAwards(first: 1) { totalCount } }')).toEqual({ totalCount: 0 });
  await finish('9 turn back from points for many', counted, 4);
});

test('10: somebody signs up, and resets a forgotten password', async () => {
  await site.stack.work();
  const { page } = await site.open('/app/', { width: 1280 });
  const counted = countedPage(page);
  const { click } = counted;
  const person = { email: 'nia@example.com', password: 'a newer password of a baker' };
  await click(page.getByRole('link', { name: 'Create a workspace' }));
  await page.getByLabel('Your name').fill('Nia New');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('a password of a baker');
  await page.getByLabel('Workspace').fill('North Bakery');
  await picture(page, 'job 10 sign up');
  await click(button(page, 'Create a workspace'));
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await picture(page, 'job 10 new');
  await click(button(page, 'Nia New'));
  await click(page.getByRole('menuitem', { name: 'Sign out' }));
  await click(page.getByRole('link', { name: 'Forgot your password?' }));
  await page.getByLabel('E-mail').fill(person.email);
  await click(button(page, 'Send the link'));
  await page.getByRole('status').filter({ hasText: person.email }).waitFor();
  await picture(page, 'job 10 link sent');
  const token = await eventually(() => linkToken(site.stack, person.email, 'reset-password'));
  counted.count();
  await page.goto(`${site.stack.url}/reset-password#token=${token}`);
  await page.locator('#newPassword').fill(person.password);
  await click(page.locator('form button[type="submit"]'));
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await picture(page, 'job 10 password changed');
  await click(page.getByRole('link', { name: /sign in/i }));
  counted.count();
  await signIn(page, person);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await finish('10 sign up and reset a password', counted, 10);
});
