import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenColleague, givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  await givenMember(site, 'ada@example.com', 'Ada Able');
  await givenMember(site, 'bob@example.com', '=Bob');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

test('a list is exported with its filter, and the file is saved from the dialog or the list of exports', async () => {
  const page = await openOffice(site, '/members?search=ada%40example.com');
  await page.getByRole('link', { name: 'Ada Able' }).waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export: Members' });
  await dialog.getByText('1 row with the filter of this screen').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start the export' }).click();
  // A notice under the pointer does not close by itself: this one closes because the export has ended.
  const begun = page.getByText('The export has started.');
  await begun.hover({ timeout: 3_000 }).catch(() => 'it has closed already');
  const download = dialog.getByRole('button', { name: /^Download members-/ });
  await download.waitFor();
  await begun.waitFor({ state: 'detached' });
  expect(await violationsOf(page)).toEqual([]);
  const saving = page.waitForEvent('download');
  await download.click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^members-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Ada Able,ada@example.com');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${site.stack.url}/app/exports`);
  const table = page.getByRole('table', { name: 'Exports' });
  await table.getByText('Members').first().waitFor();
  await table.getByText('Completed').first().waitFor();
  expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
  const again = page.waitForEvent('download');
  await table.getByRole('button', { name: /^Download members-/ }).click();
  expect((await again).suggestedFilename()).toBe(saved.suggestedFilename());
});

test('a colleague who is not an administrator finds no export', async () => {
  const person = await givenColleague(site, 'MEMBER');
  const page = await openOffice(site, '/members', { person });
  await page.getByRole('link', { name: 'Ada Able' }).waitFor();
  expect(await page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Exports' }).count()).toBe(0);
});
