import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenInvitation, givenMember, openOffice } from './office.fixture.ts';
import { button, screen } from './ten-jobs.fixture.ts';

let site: Site;
let id: string;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  id = await givenMember(site, 'mia@example.com', 'Mia Moss');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const hasFocus = (target: Locator): Promise<void> =>
  eventually(async () => expect(await target.and(target.page().locator(':focus')).count()).toBe(1));
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Focuses an element and presses a key on it. */
const pressOn = async (target: Locator, key = 'Enter'): Promise<void> => {
  await target.focus();
  await target.page().keyboard.press(key);
};

test('the first Tab offers to skip the menu, and on another screen the title has the focus', async () => {
  const page = await openOffice(site, '/members');
  await title(page, 'Members').waitFor();
  await page.reload();
  await title(page, 'Members').waitFor();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await hasFocus(skip);
  await picture(page, 'focus skip');
  await page.keyboard.press('Enter');
  await hasFocus(title(page, 'Members'));
  await page.keyboard.press('Tab');
  await hasFocus(button(page, 'Add a member'));
  await pressOn(screen(page, 'Tiers'));
  await hasFocus(title(page, 'Tiers'));
  await picture(page, 'focus title');
  // A change of the filter is not a change of the screen, so it does not move the focus.
  await pressOn(screen(page, 'Members'));
  await hasFocus(title(page, 'Members'));
  await page.getByLabel('Status').selectOption('ACTIVE');
  await page.getByLabel('Status').focus();
  await page.waitForURL(/status=ACTIVE/);
  await hasFocus(page.getByLabel('Status'));
});

test('a closed dialog gives the focus back to what opened it, also to a menu', async () => {
  const page = await openOffice(site, `/members/${id}`);
  await title(page, 'Mia Moss').waitFor();
  const award = button(page, 'Award points');
  await pressOn(award);
  const dialog = page.getByRole('dialog');
  await hasFocus(dialog.getByLabel('Points'));
  await page.keyboard.press('Escape');
  await hasFocus(award);
  const more = button(page, 'More');
  await pressOn(more);
  await pressOn(page.getByRole('menuitem', { name: 'Edit the member' }));
  await hasFocus(dialog.getByLabel('Name'));
  await pressOn(button(dialog, 'Cancel'));
  await hasFocus(more);
});

test('when an element is removed, the nearest one gets the focus', async () => {
  for (const name of ['one', 'two', 'three']) await givenInvitation(site, 'MEMBER', `${name}@example.com`);
  const page = await openOffice(site, '/team');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name}@example.com`) });
  await pressOn(button(row('two'), 'Revoke'));
  await pressOn(button(page.getByRole('dialog'), 'Revoke'));
  await row('two').getByText('Revoked').waitFor();
  await eventually(async () => {
    const rows = page.getByRole('row', { name: /(one|three)@example.com/ });
    expect(await rows.locator(':focus').count()).toBe(1);
  });
  await page.goto(`${site.stack.url}/app/members/${id}`);
  const tag = page.getByLabel('New tag');
  for (const name of ['early', 'late']) {
    await tag.fill(name);
    await page.keyboard.press('Enter');
    await button(page, `Remove the tag ${name}`).waitFor();
    await hasFocus(tag);
  }
  await pressOn(button(page, 'Remove the tag early'));
  await button(page, 'Remove the tag early').waitFor({ state: 'detached' });
  await hasFocus(button(page, 'Remove the tag late'));
});

test('a button has the focus again after its call was answered, and a press on plain text removes it', async () => {
  const page = await openOffice(site, '/members');
  await pressOn(button(page, 'Add a member'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('mia@example.com');
  await pressOn(button(dialog, 'Add a member'));
  await dialog.locator('[aria-invalid=true]').waitFor();
  await hasFocus(button(dialog, 'Add a member'));
  await dialog.getByText('Add a member').first().click();
  await page.waitForTimeout(100);
  expect(await button(dialog, 'Add a member').and(page.locator(':focus')).count()).toBe(0);
});
