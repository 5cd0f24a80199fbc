import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
const opened: Page[] = [];
// Each test closes its pages: browsers report the files and answers that these tests block.
afterEach(() => Promise.all(opened.splice(0).map((page) => page.context().close())));

async function openIn(language: 'en' | 'pt', path: string): Promise<Page> {
  const page = await openOffice(site, path);
  opened.push(page);
  if (language === 'en') return page;
  await page.evaluate(`localStorage.setItem('loyalty-language', 'pt')`);
  await page.reload();
  await page.getByRole('navigation', { name: 'Ecrãs' }).waitFor({ state: 'attached' });
  return page;
}

/** Answers an operation of the graph with an error, in the format of the API. */
async function refuse(page: Page, operation: string, extensions: object): Promise<void> {
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes(operation)
      ? route.fulfill({
          status: 503,
          contentType: 'application/graphql-response+json',
          headers: { 'x-request-id': 'request-7' },
          body: JSON.stringify({ errors: [{ message: 'A sentence of the API.', extensions }] }),
        })
      : route.continue(),
  );
}

const textOf = (page: Page): Promise<string | null> => page.locator('body').textContent();

test('an error is shown at its field, in the language of the user', async () => {
  await givenMember(site, 'here@example.com', 'Hera Here');
  const page = await openIn('pt', '/members');
  await page.getByRole('button', { name: 'Adicionar um membro' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar um membro' });
  const email = dialog.getByLabel('E-mail');
  for (const [typed, sentence] of [
    ['here@example.com', 'Já há um membro com este endereço de e-mail. Abra esse membro.'],
    ['here@', 'Introduza um endereço de e-mail completo, como ada@example.com.'],
  ] as const) {
    await email.fill(typed);
    await dialog.getByRole('button', { name: 'Adicionar um membro' }).click();
    await dialog.getByText(sentence).waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe('true');
  }
  expect(await dialog.getByRole('alert').count()).toBe(0);
});

test('a screen that cannot be loaded shows our own message, with the reason and the request id', async () => {
  const page = await openIn('pt', '/members');
  await refuse(page, 'query Tiers', { code: 'UNAVAILABLE', reason: 'DATABASE_UNAVAILABLE' });
  await page.getByRole('link', { name: 'Níveis' }).click();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'De momento não é possível aceder aos dados.' }).waitFor();
  expect(await alert.getByRole('link').getAttribute('href')).toBe('/docs/errors/DATABASE_UNAVAILABLE');
  expect(await alert.textContent()).toContain('request-7');
  expect(await textOf(page)).not.toContain('A sentence of the API.');
});

test('an error with a reason that this window does not know yet is explained by its category', async () => {
  const page = await openIn('en', '/members');
  await refuse(page, 'query Tiers', { code: 'CONFLICT', reason: 'ADDED_LATER' });
  await page.getByRole('link', { name: 'Tiers' }).click();
  await page.getByRole('alert').filter({ hasText: 'This cannot be done as things stand now.' }).waitFor();
  expect(await textOf(page)).not.toContain('A sentence of the API.');
});

test('a general message is shown when the messages cannot be loaded', async () => {
  const page = await openIn('pt', '/members');
  await page.route('**/assets/reasons.*', (route) => route.abort());
  await refuse(page, 'query Tiers', { code: 'UNAVAILABLE', reason: 'DATABASE_UNAVAILABLE' });
  await page.getByRole('link', { name: 'Níveis' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'Algo correu mal. Tente de novo daqui a pouco.' })
    .waitFor();
});

test('signing in again over a screen shows no message of the API either', async () => {
  const page = await openIn('pt', '/members');
  await page.route('**/app/session', (route) =>
    route.fulfill({
      status: 503,
      json: { error: 'A sentence of the API.', code: 'SIGN_IN_BUSY', retryAfterSeconds: 5 },
    }),
  );
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'Níveis' }).click();
  const again = page.getByRole('dialog', { name: 'Inicie sessão de novo para continuar' });
  await again.locator('input[autocomplete="current-password"]').fill('a password');
  await again.getByRole('button', { name: 'Iniciar sessão' }).click();
  await again.getByRole('alert').filter({ hasText: 'há muitas pessoas a iniciar sessão' }).waitFor();
  expect(await textOf(page)).not.toContain('A sentence of the API.');
});
