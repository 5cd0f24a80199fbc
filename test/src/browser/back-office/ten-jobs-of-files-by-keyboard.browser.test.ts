import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { linkToken } from '../../harness/mailed-links.ts';
import { createSite, type Site } from '../site.fixture.ts';
import {
  atHome,
  button,
  type CountedPage,
  chooseByKeys,
  countedJobs,
  countedPage,
  findByKeys,
  givenProgramme,
  givenReceipt,
} from './ten-jobs.fixture.ts';

// The jobs about files and people. `ten-jobs-by-keyboard` has those about members and points.

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

test('4: a file with other headers is imported by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'Imports', 'Imports');
  await tabTo(button(page, 'Import a file'));
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  // The dialog takes the focus when it is open.
  await dialog.locator(':focus').waitFor();
  await tabTo(dialog.getByLabel('File', { exact: true }));
  const choosing = page.waitForEvent('filechooser');
  await enter();
  const buffer = Buffer.from('Correo,Nombre,Nivel\nada@example.com,Ada Able,1\nnobody,Bo,2\n');
  await (await choosing).setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer });
  await tabTo(button(dialog, 'Read the file'));
  await enter();
  await chooseByKeys(counted, dialog.getByLabel('Column Nivel fills'), 'Not', '');
  await tabTo(button(dialog, 'Show the first rows'));
  await enter();
  await dialog.getByText('Row 3: E-mail address: Enter a full e-mail address').waitFor();
  await tabTo(button(dialog, 'Start the import'));
  await enter();
  await dialog.getByText('Refused: 1').waitFor();
  await tabTo(button(dialog, 'Close').last());
  await enter();
  await tabTo(button(page, 'Import a file'));
  await finish('4 import a file with other headers, by keyboard', counted, 7);
});

test('5: the members of the last 30 days are exported by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'Members', 'Members');
  await chooseByKeys(counted, page.getByLabel('Joined'), 'Last 30', /./);
  await page.waitForURL(/from=/);
  await tabTo(button(page, 'Export'), 'Shift+Tab');
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Export: Members' });
  await tabTo(button(dialog, 'Start the export'));
  await enter();
  await tabTo(dialog.getByRole('button', { name: /^Download members-/ }));
  const [download] = await Promise.all([page.waitForEvent('download'), enter()]);
  expect(await readFile(await download.path(), 'utf8')).toContain('Mia Moss');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(button(page, 'Export'));
  await finish('5 export the members of a period, by keyboard', counted, 4);
});

/** Signs in with the keyboard alone. */
async function signInByKeys(
  { page, enter, tabTo }: CountedPage,
  email: string,
  password: string,
): Promise<void> {
  await tabTo(page.getByLabel('E-mail'));
  await page.keyboard.type(email);
  await tabTo(page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(password);
  await enter();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

test('6: a colleague is invited, joins and works by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  const person = { email: 'nora@example.com', password: 'a password of Nora alone' };
  await findByKeys(counted, 'Team', 'Team');
  await tabTo(button(page, 'Invite a person'));
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await tabTo(dialog.getByLabel('E-mail'));
  await page.keyboard.type(person.email);
  await enter();
  await page.getByRole('row', { name: /nora@example.com/ }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await tabTo(button(page, 'Invite a person'));
  await site.stack.work();
  const token = await eventually(() => linkToken(site.stack, person.email, 'invitation'));
  const hers = countedPage((await site.open(`/invitation#token=${token}`, { width: 1280 })).page);
  await hers.tabTo(hers.page.locator('#name'));
  await hers.page.keyboard.type('Nora New');
  await hers.tabTo(hers.page.locator('#password'));
  await hers.page.keyboard.type(person.password);
  await hers.enter();
  await hers.tabTo(hers.page.getByRole('link', { name: 'Sign in to the back office' }));
  await hers.enter();
  await signInByKeys(hers, person.email, person.password);
  await finish('6 invite a colleague, by keyboard', counted, 3);
  await finish('6 join, by keyboard', hers, 3);
});

test('7: a receipt is corrected and approved by keyboard alone', async () => {
  await givenReceipt(site, mia);
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await tabTo(page.getByRole('link', { name: '1 receipt waits for review' }));
  await enter();
  await page.getByText('By the rules: 6 points').waitFor();
  await tabTo(page.getByLabel('Total', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('12.50');
  await page.getByText('By the rules: 12 points').waitFor();
  await tabTo(page.getByRole('button', { name: /^Approve/ }));
  await enter();
  await page.getByText('All receipts are reviewed.').waitFor();
  await finish('7 correct a receipt, by keyboard', counted, 2);
});

test('10: somebody signs up, and resets a forgotten password, by keyboard alone', async () => {
  await site.stack.work();
  const counted = countedPage((await site.open('/app/', { width: 1280 })).page);
  const { page, enter, tabTo } = counted;
  const person = { email: 'nia@example.com', password: 'a newer password of a baker' };
  await tabTo(page.getByRole('link', { name: 'Create a workspace' }));
  await enter();
  for (const [label, typed] of [
    ['Workspace', 'North Bakery'],
    ['Your name', 'Nia New'],
    ['E-mail', person.email],
    ['Password', 'a password of a baker'],
  ] as const) {
    await tabTo(page.getByLabel(label, { exact: true }));
    await page.keyboard.type(typed);
  }
  await enter();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await findByKeys(counted, 'Sign out', 'Sign out');
  await tabTo(page.getByRole('link', { name: 'Forgot your password?' }));
  await enter();
  await tabTo(page.getByLabel('E-mail'));
  await page.keyboard.type(person.email);
  await enter();
  await page.getByRole('status').filter({ hasText: person.email }).waitFor();
  const token = await eventually(() => linkToken(site.stack, person.email, 'reset-password'));
  await page.goto(`${site.stack.url}/reset-password#token=${token}`);
  await tabTo(page.locator('#newPassword'));
  await page.keyboard.type(person.password);
  await enter();
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await tabTo(page.getByRole('link', { name: /sign in/i }));
  await enter();
  await signInByKeys(counted, person.email, person.password);
  await finish('10 sign up and reset a password, by keyboard', counted, 8);
});
