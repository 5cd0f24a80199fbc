import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSite, type Site } from '../site.fixture.ts';
import { openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
const opened: Page[] = [];
// Browsers complain of the files and answers that these tests take away.
afterEach(() => Promise.all(opened.splice(0).map((page) => page.context().close())));

async function open(path: string): Promise<Page> {
  const page = await openOffice(site, path);
  opened.push(page);
  return page;
}

const bar = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const OFFLINE = 'You are offline.';
const NEWER = 'A new version of this page is there.';
const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

test('a screen that cannot be drawn says so within the frame, and is drawn by another try', async () => {
  const page = await open('/members');
  await page.route('**/assets/tiers.screen-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export default () => { if (globalThis.isRepaired) return 'drawn'; throw new Error('broken'); }`,
    }),
  );
  await page.getByRole('link', { name: 'Tiers' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await alert.filter({ hasText: 'Something went wrong.' }).waitFor();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.evaluate('globalThis.isRepaired = true');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('drawn', { exact: true }).waitFor();
});

test('offline, a screen stays until the next one can be loaded, which it then is by itself', async () => {
  const page = await open('/members');
  await title(page, 'Members').waitFor();
  await page.context().setOffline(true);
  await bar(page, OFFLINE).waitFor();
  await page.getByRole('link', { name: 'Tiers' }).click();
  await page.getByRole('link', { name: 'Audit log' }).hover();
  await title(page, 'Members').waitFor();
  await page.context().setOffline(false);
  await title(page, 'Tiers').waitFor();
  await bar(page, OFFLINE).waitFor({ state: 'detached' });
});

test('offline, a form keeps what was typed, and is sent once there is a connection', async () => {
  const page = await open('/members');
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a member' });
  await dialog.getByLabel('E-mail').fill('offline@example.com');
  // The browser has a network, but nothing answers.
  await page.route('**/*', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await bar(page, OFFLINE).waitFor();
  await dialog.getByRole('alert').first().waitFor();
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('offline@example.com');
  // While nothing answers the bar stays; once something does, it goes by itself.
  const asked = page.waitForRequest((request) => request.url().endsWith('/app/'));
  await bar(page, OFFLINE).getByRole('button', { name: 'Try again' }).click();
  await asked;
  await page.unroute('**/*');
  await bar(page, OFFLINE).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('heading', { level: 1, name: 'offline@example.com' }).waitFor();
});

test('after a deployment a window keeps its screen and form until its person loads the new version', async () => {
  const page = await open('/members');
  await page.route('**/assets/tiers.screen-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/app/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/app/assets/app-new.js">' }),
  );
  // Looking at the menu loads the next screen.
  await page.getByRole('link', { name: 'Tiers' }).hover();
  await bar(page, NEWER).waitFor();
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a member' });
  await dialog.getByLabel('E-mail').fill('kept@example.com');
  await bar(page, NEWER).waitFor();
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('kept@example.com');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'Tiers' }).click();
  await title(page, 'Members').waitFor();
  await page.unroute('**/assets/tiers.screen-*.js');
  await bar(page, NEWER).getByRole('button', { name: 'Load it' }).click();
  await title(page, 'Tiers').waitFor();
});
