import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { balance, givenColleague, givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const tierInput = { name: 'Gold', rank: 2, upgradeThreshold: 500, multiplier: 1.25 };

test('an empty number field is a missing value, never 0, and a comma is a decimal separator, too', async () => {
  const { id } = await site.admin<{ id: string }>(
    'mutation ($input: CreateTierInput!) { answer: createTier(input: $input) { id } }',
    { input: tierInput },
  );
  const page = await openOffice(site, '/tiers');
  const open = () => page.getByRole('row', { name: /Gold/ }).getByRole('button', { name: 'Edit' }).click();
  await open();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  const multiplier = dialog.getByLabel('Multiplier');
  expect(await multiplier.inputValue()).toBe('1.25');
  await dialog.getByText('times the points', { exact: true }).first().waitFor();
  await multiplier.fill('');
  await dialog.getByLabel('From points').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This is required.').nth(1).waitFor();
  expect(await multiplier.inputValue()).toBe('');
  await multiplier.pressSequentially('1,5');
  await dialog.getByLabel('From points').fill('600');
  // In the meantime another user changes a field that this form does not change.
  const other = 'mutation ($id: ID!) { answer: updateTier(id: $id, input: { name: "Golden" }) { id } }';
  await site.admin(other, { id });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [tier] = await site.admin<object[]>('{ answer: tiers { name rank upgradeThreshold multiplier } }');
  expect(tier).toEqual({ ...tierInput, name: 'Golden', upgradeThreshold: 600, multiplier: 1.5 });
});

test('typed data is discarded only after a question: on Escape, on a press outside and on going back', async () => {
  const id = await givenMember(site, 'tom@example.com', 'Tom Typing');
  const page = await openOffice(site, '/members');
  await page.getByRole('link', { name: 'Tom Typing' }).click();
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Award points' }).click();
  await dialog.getByLabel('Points').fill('12');
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => page.evaluate('history.back()'),
  ]) {
    await leave();
    await question.getByRole('button', { name: 'Go back' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Points').inputValue()).toBe('12');
  }
  expect(new URL(page.url()).pathname).toBe(`/app/members/${id}`);
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Points').inputValue()).toBe('12');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await balance(page).filter({ hasText: /^0$/ }).waitFor();
});

test('a message says what was done, and offers to undo it where that is possible', async () => {
  const id = await givenMember(site, 'una@example.com', 'Una Undo');
  const page = await openOffice(site, `/members/${id}`);
  await page.getByRole('button', { name: 'Award points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Award points' });
  await dialog.getByLabel('Points').fill('40');
  await dialog.getByRole('button', { name: 'Award points' }).click();
  const toast = (text: string) => page.getByRole('group').filter({ hasText: text });
  await balance(page).filter({ hasText: /^40$/ }).waitFor();
  expect(await page.locator('[aria-live=polite]', { has: toast('40 points awarded.') }).count()).toBe(1);
  await toast('40 points awarded.').getByRole('button', { name: 'Undo' }).click();
  await balance(page).filter({ hasText: /^0$/ }).waitFor();
  await toast('Undone.').waitFor();
  await page.getByLabel('New tag').fill('regular');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await toast('The tag regular was added.').waitFor();
  await page.getByRole('button', { name: 'Remove the tag regular' }).click();
  await toast('The tag regular was removed.').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Remove the tag regular' }).waitFor();
});

test('a consent shows its source and its day; withdrawing it needs a confirmation', async () => {
  const id = await givenMember(site, 'cora@example.com', 'Cora Consent');
  const page = await openOffice(site, `/members/${id}`);
  const part = page.getByRole('region', { name: 'Consents' });
  const profiling = part.getByRole('switch', { name: 'Profiling' });
  await part.getByText('never decided').first().waitFor();
  await profiling.click();
  const grant = page.getByRole('dialog', { name: 'Record a consent' });
  await grant.getByText('Profiling').waitFor();
  await grant.getByRole('button', { name: 'Record a consent' }).click();
  await grant.getByText('This is required.').waitFor();
  expect(await profiling.isChecked()).toBe(false);
  await grant.getByLabel('How it was given').fill('By telephone');
  await grant.getByRole('button', { name: 'Record a consent' }).click();
  await part.getByText('By telephone').waitFor();
  expect(await profiling.isChecked()).toBe(true);
  await profiling.click();
  const withdraw = page.getByRole('dialog', { name: 'Withdraw the consent: Profiling' });
  await withdraw.getByText('The data of Cora Consent').waitFor();
  expect(await profiling.isChecked()).toBe(true);
  await withdraw.getByRole('button', { name: 'Withdraw the consent' }).click();
  await part.getByText('back office').waitFor();
  expect(await profiling.isChecked()).toBe(false);
});

test('a role changes only after a confirmation, and so it changes back', async () => {
  await site.stack.work();
  await givenColleague(site, 'MEMBER');
  const page = await openOffice(site, '/team');
  const role = page.getByLabel('Role of Col League');
  await role.selectOption('ADMIN');
  const dialog = page.getByRole('dialog', { name: 'Change the role' });
  await dialog.getByText('Col League is Member and becomes Admin.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await role.inputValue()).toBe('MEMBER');
  await role.selectOption('ADMIN');
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => expect(await role.inputValue()).toBe('ADMIN'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await role.inputValue()).toBe('MEMBER'));
});
