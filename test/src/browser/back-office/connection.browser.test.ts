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
// Each test closes its pages: browsers report the files and answers that these tests block.
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

test('a screen that cannot be rendered shows an error within the frame, and is rendered by a retry', async () => {
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

test('offline, a screen stays until the next one can be loaded, and that one then opens by itself', async () => {
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

test('offline, a form keeps what was typed, and can be sent when there is a connection again', async () => {
  const page = await open('/members');
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a member' });
  await dialog.getByLabel('E-mail').fill('offline@example.com');
  // The browser has a network, but no request is answered.
  await page.route('**/*', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await bar(page, OFFLINE).waitFor();
  await dialog.getByRole('alert').first().waitFor();
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('offline@example.com');
  // The bar stays while no request is answered, and closes by itself after one is answered.
  const asked = page.waitForRequest((request) => request.url().endsWith('/app/'));
  await bar(page, OFFLINE).getByRole('button', { name: 'Try again' }).click();
  await asked;
  await page.unroute('**/*');
  await bar(page, OFFLINE).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('heading', { level: 1, name: 'offline@example.com' }).waitFor();
});

test('after a deployment a window keeps its screen and form until the user loads the new version', async () => {
  const page = await open('/members');
  await page.route('**/assets/tiers.screen-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/app/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/app/assets/app-new.js">' }),
  );
  // The pointer over a link of the menu loads its screen in advance.
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
