import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenColleague, givenMember, openOffice } from './office.fixture.ts';
import { signIn } from './sign-in.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

test('the address of the product opens the sign-in page, which reports a wrong password', async () => {
  const { page } = await site.open('/', { width: 1280 });
  expect(new URL(page.url()).pathname).toBe('/app/');
  await signIn(page, { ...site.owner, password: 'a wrong password' });
  await page.getByRole('alert').filter({ hasText: 'E-mail address or password is wrong.' }).waitFor();
  expect(await page.locator('input[type="email"]').inputValue()).toBe(site.owner.email);
  await signIn(page, site.owner);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'loyalty-user', httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('eyJ');
});

test('signing out applies to every window, and signing in again opens the same screen', async () => {
  const page = await openOffice(site, '/tiers');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'Tiers', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Ada Owner', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  for (const each of [page, second]) await each.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(second, site.owner);
  for (const each of [page, second])
    await each.getByRole('heading', { name: 'Tiers', exact: true }).waitFor();
});

test('a session that has ended asks for the password over the form, and nothing typed is lost', async () => {
  const page = await openOffice(site, '/members');
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a member' });
  await dialog.getByLabel('E-mail').fill('late@example.com');
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again to go on' });
  await again.locator('input[autocomplete="current-password"]').fill(site.owner.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('late@example.com');
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('heading', { level: 1, name: 'late@example.com' }).waitFor();
});

test('for the role member the menu and the screens match what the role may do', async () => {
  await site.stack.work();
  const person = await givenColleague(site, 'MEMBER');
  const page = await openOffice(site, '/', { person });
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await menu.getByRole('link', { name: 'Members' }).waitFor();
  expect(await menu.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  await page.goto(`${site.stack.url}/app/audit`);
  await page
    .getByRole('alert')
    .filter({ hasText: 'Your role does not allow this. Ask an owner or administrator' })
    .waitFor();
});

test('after too many wrong passwords a user has to wait, and reads how long', async () => {
  await site.stack.work();
  const person = await givenColleague(site, 'MEMBER', 'guessed@example.com');
  const { page } = await site.open('/app/', { width: 1280 });
  const answered = () => page.waitForResponse((response) => response.url().endsWith('/app/session'));
  for (let wrong = 0; wrong < 10; wrong += 1) {
    const answer = answered();
    await signIn(page, { ...person, password: `guess number ${wrong}` });
    await answer;
  }
  await signIn(page, person);
  await page
    .getByRole('alert')
    .filter({ hasText: /Too many wrong passwords. Wait \d+ minutes?/ })
    .waitFor();
});

test('a role that is taken away changes the menu and the buttons at once', async () => {
  await site.stack.work();
  const person = await givenColleague(site, 'ADMIN');
  const page = await openOffice(site, '/tiers', { person });
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await menu.getByRole('link', { name: 'Audit log' }).waitFor();
  await page.getByRole('button', { name: 'Add a tier' }).waitFor();
  const { nodes } = await site.admin<{ nodes: { id: string; role: string }[] }>(
    '{ answer: teamMembers { nodes { id role } } }',
  );
  const { id } = nodes.find(({ role }) => role === 'ADMIN')!;
  await site.admin(`mutation { answer: setTeamRole(userId: "${id}", role: MEMBER) { id } }`);
  await menu.getByRole('link', { name: 'Audit log' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add a tier' }).waitFor({ state: 'detached' });
});

test('a module is switched on and off by its switch, and its screen comes and goes in every window', async () => {
  const page = await openOffice(site, '/modules');
  const second = await page.context().newPage();
  await second.goto(`${site.stack.url}/app/`);
  const menu = second.getByRole('navigation', { name: 'Screens' });
  await menu.getByRole('link', { name: 'Members' }).waitFor();
  const receipts = page.getByRole('switch', { name: 'Receipt upload and recognition' });
  for (const isOn of [true, false]) {
    await receipts.click();
    await eventually(async () => expect(await receipts.isChecked()).toBe(isOn));
    await menu.getByRole('link', { name: 'Receipts' }).waitFor({ state: isOn ? 'visible' : 'detached' });
    const modules = await site.admin<{ key: string; isEnabled: boolean }[]>(
      '{ answer: modules { key isEnabled } }',
    );
    expect(modules.find(({ key }) => key === 'receipts')?.isEnabled).toBe(isOn);
  }
  await second.goto(`${site.stack.url}/app/receipts`);
  await second
    .getByRole('alert')
    .filter({ hasText: /module/i })
    .waitFor();
});

test('test mode shows only its own data, and is marked as test mode', async () => {
  const page = await openOffice(site, '/members');
  // The menu loads after the screen. Somebody who presses it earlier gets it when it has loaded.
  const pressed = Promise.withResolvers<void>();
  await page.route('**/assets/workspace-menu-*.js', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: "Ada Owner's workspace" }).click();
  pressed.resolve();
  await page.getByRole('menuitem', { name: 'Switch to test mode' }).click();
  await page.getByRole('status').filter({ hasText: 'Test mode' }).waitFor();
  await page.getByText('There are no members yet.').waitFor();
  expect(await page.title()).toMatch(/^\[test\]/);
  await page.reload();
  await page.getByRole('status').filter({ hasText: 'Test mode' }).waitFor();
});

test('the session is renewed before it expires, and live updates continue', async () => {
  await site.stack.work();
  const id = await givenMember(site, 'rene@example.com', 'Rene Wed');
  const page = await openOffice(site, `/members/${id}`);
  await page.clock.install();
  await page.reload();
  await balance(page).filter({ hasText: /^0$/ }).waitFor();
  const renewed = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.clock.fastForward('51:00');
  expect((await renewed).status()).toBe(200);
  await page.waitForTimeout(1_000);
  const body = { amount: 5 };
  await site.stack.rest('POST', `/api/v2/members/${id}/points`, { as: site.key, body });
  await balance(page).filter({ hasText: /^5$/ }).waitFor();
});
