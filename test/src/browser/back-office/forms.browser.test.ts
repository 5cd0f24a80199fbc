import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSite, type Site } from '../site.given.ts';
import { openOffice } from './office.given.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
}, 120_000);
afterAll(() => site.close());
afterEach(() => site.endVisits());

const tierInput = { name: 'Gold', rank: 2, upgradeThreshold: 500, multiplier: 1.25 };

test('an emptied number is missing, never 0, and a comma separates decimals, too', async () => {
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
  // Somebody else changes what this form leaves as it is.
  const other = 'mutation ($id: ID!) { answer: updateTier(id: $id, input: { name: "Golden" }) { id } }';
  await site.admin(other, { id });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [tier] = await site.admin<object[]>('{ answer: tiers { name rank upgradeThreshold multiplier } }');
  expect(tier).toEqual({ ...tierInput, name: 'Golden', upgradeThreshold: 600, multiplier: 1.5 });
}, 60_000);
