import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mailsTo, tokenIn } from '@loyalty/loyalty-subgraph/enrollment/enrollment.fixture';
import type { Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { signIn } from './sign-in.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Waits until a field is marked as invalid, and returns its message. */
async function faultOf(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true });
  await eventually(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'));
  const described = (await field.getAttribute('aria-describedby'))!.split(/ +/);
  const texts = await Promise.all(described.map((each) => page.locator(`[id="${each}"]`).textContent()));
  return texts.join(' ');
}

test('a person creates a workspace and is signed in to it; an error is shown at its field', async () => {
  const { page } = await site.open('/app/', { width: 1280 });
  await page.getByRole('link', { name: 'Create a workspace' }).click();
  await page.getByRole('heading', { name: 'Create a workspace' }).waitFor();
  await page.getByLabel('Your name').fill('Nia New');
  await page.getByLabel('E-mail').fill(site.owner.email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Workspace').fill('North Bakery');
  await press(page, 'Create a workspace');
  expect(await faultOf(page, 'Password')).toMatch(/10/);
  await page.getByLabel('Password', { exact: true }).fill('a password of a baker');
  await press(page, 'Create a workspace');
  expect(await faultOf(page, 'E-mail')).toMatch(/account/);
  await page.getByLabel('E-mail').fill('nia@example.com');
  await press(page, 'Create a workspace');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'North Bakery' }).waitFor();
  await page.getByRole('button', { name: 'Nia New' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/');
  await page.goto(`${site.stack.url}/app/sign-up`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

test('a forgotten password is reset by e-mail, and the answer does not reveal whether an account exists', async () => {
  const { page } = await site.open('/app/', { width: 1280 });
  const answers: (string | null)[] = [];
  for (const email of ['nobody@example.com', site.owner.email]) {
    await page.goto(`${site.stack.url}/app/forgot-password`);
    await page.getByLabel('E-mail').fill(email);
    await press(page, 'Send the link');
    const text = await page.getByRole('status').textContent();
    answers.push(text!.replace(email, 'this address'));
  }
  expect(answers[0]).toBe(answers[1]);
  await site.stack.work();
  const token = await eventually(async () => {
    const found = tokenIn((await mailsTo(site.stack.services, site.owner.email)).at(-1));
    expect(found).not.toBe('');
    return found;
  });
  const password = 'another long password';
  const set = `mutation ($token: String!, $newPassword: String!) {
    resetPassword(input: { token: $token, newPassword: $newPassword }) }`;
  const { errors } = await site.stack.graph(set, { token, newPassword: password });
  expect(errors).toBeUndefined();
  await page.getByRole('link', { name: 'Back to signing in' }).click();
  await signIn(page, { email: site.owner.email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

test('the pages for people who are not signed in have no accessibility fault', async () => {
  for (const path of ['/app/', '/app/sign-up', '/app/forgot-password'])
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await site.open(path, { width, colorScheme });
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([path, width, colorScheme, await violationsOf(page)]).toEqual([path, width, colorScheme, []]);
      }
});
