import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSite, type Site } from '../site.fixture.ts';
import { balance } from './office.fixture.ts';
import { atHome, button, chooseByKeys, countedJobs, findByKeys, givenProgramme } from './ten-jobs.fixture.ts';

// The jobs about members and points. `ten-jobs-of-files-by-keyboard` has those about files and people.

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await givenProgramme(site);
});
afterEach(() => site.endVisits());
afterAll(() => site.close());
const finish = countedJobs();

test('1: points are corrected by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'ben', 'Ben Birch');
  await page.getByRole('heading', { level: 1, name: 'Ben Birch' }).waitFor();
  const before = Number(await balance(page).textContent());
  await tabTo(button(page, 'More'));
  await enter();
  const entry = page.getByRole('menuitem', { name: 'Adjust points' });
  await tabTo(entry, 'ArrowDown');
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Adjust points' });
  await tabTo(dialog.getByLabel('Change, negative to take points away'));
  await page.keyboard.type('5');
  await tabTo(dialog.getByLabel('Reason'));
  await page.keyboard.type('The till was offline');
  await enter();
  await balance(page)
    .filter({ hasText: String(before + 5) })
    .waitFor();
  await finish('1 fix points, by keyboard', counted, 4);
});

test('2: the points liability is seen by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page } = counted;
  await findByKeys(counted, 'liability', 'Points liability');
  await page.getByRole('heading', { level: 1, name: 'Points liability' }).waitFor();
  await page.getByRole('region', { name: 'Points outstanding by tier' }).waitFor();
  await finish('2 see the points liability, by keyboard', counted, 1);
});

test('3: why a call failed is found by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'Calls', 'Calls');
  await chooseByKeys(counted, page.getByLabel('Outcome'), 'Refused or', 'UNSUCCESSFUL');
  const why = page.getByRole('row', { name: 'Shop' }).getByRole('link', { name: 'SCOPE_MISSING' });
  await tabTo(why);
  const opening = page.waitForEvent('popup');
  await enter();
  await (await opening).getByRole('heading', { name: 'SCOPE_MISSING' }).waitFor();
  await finish('3 find out why a call failed, by keyboard', counted, 2);
});

test('8: a code is voided by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'autumn-2', 'Thanks · Available');
  const found = page.getByRole('region', { name: 'AUTUMN-2' });
  await tabTo(button(found, 'Void'));
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Void: AUTUMN-2' });
  await tabTo(dialog.getByLabel('Reason'));
  await page.keyboard.type('Printed twice');
  await tabTo(dialog.getByLabel('Enter AUTUMN-2 to confirm'));
  await page.keyboard.type('AUTUMN-2');
  await enter();
  await button(found, 'Void').waitFor({ state: 'detached' });
  await finish('8 void a code, by keyboard', counted, 3);
});

test('9: an award to many members shows their number, and is cancelled, by keyboard alone', async () => {
  const counted = await atHome(site);
  const { page, enter, tabTo } = counted;
  await findByKeys(counted, 'Members', 'Members');
  await tabTo(button(page, 'Award points to all'));
  await enter();
  const dialog = page.getByRole('dialog', { name: 'Award points to all' });
  await tabTo(dialog.getByLabel('Points'));
  await page.keyboard.type('500');
  await tabTo(dialog.getByLabel('Description'));
  await page.keyboard.type('Anniversary');
  await dialog.getByText(/That makes [\d,]+ points in all\./).waitFor();
  await enter();
  await dialog.getByText('Award these points for “Anniversary”?').waitFor();
  await tabTo(button(dialog, 'Cancel'));
  await enter();
  await dialog.waitFor({ state: 'detached' });
  // After the dialog is closed the focus is on the button that opened it.
  await tabTo(button(page, 'Award points to all'));
  expect(await site.admin('{ answer: bulkAwards(first: 1) { totalCount } }')).toEqual({ totalCount: 0 });
  await finish('9 turn back from points for many, by keyboard', counted, 4);
});
