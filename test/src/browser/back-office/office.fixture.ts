import { expect } from '@jest/globals';
import { mailsTo, tokenIn } from '@loyalty/loyalty-subgraph/enrollment/enrollment.fixture';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import type { VisitOptions } from '../browser.ts';
import type { Site } from '../site.fixture.ts';
import { type Person, signIn } from './sign-in.ts';

/** A window of the back office in which a person is signed in. Default: the owner. */
export async function openOffice(
  site: Site,
  path: string,
  { person = site.owner, ...options }: VisitOptions & { readonly person?: Person } = {},
): Promise<Page> {
  const { page } = await site.open(`/app${path}`, { width: 1280, ...options });
  await signIn(page, person);
  // On a phone the menu is hidden at first.
  const menu = page.getByRole('navigation', { name: 'Screens', includeHidden: true });
  await menu.waitFor({ state: 'attached' });
  return page;
}

/** Makes a member of the owner's workspace and returns its id. */
export async function givenMember(site: Site, email: string, fullName: string): Promise<string> {
  const query = `mutation ($input: CreateMemberInput!) { answer: createMember(input: $input) { id } }`;
  return (await site.admin<{ id: string }>(query, { input: { email, fullName } })).id;
}

/** Invites an address to the team; returns the token of the link in the invitation. */
export async function givenInvitation(site: Site, role: 'MEMBER' | 'ADMIN', email: string): Promise<string> {
  await site.admin('mutation ($input: InviteUserInput!) { answer: inviteUser(input: $input) { id } }', {
    input: { email, role },
  });
  return eventually(async () => {
    const found = tokenIn((await mailsTo(site.stack.services, email)).at(-1));
    expect(found).not.toBe('');
    return found;
  });
}

/** Adds a colleague with this role, who accepted an invitation. */
export async function givenColleague(
  site: Site,
  role: 'MEMBER' | 'ADMIN',
  email = `${role.toLowerCase()}.colleague@example.com`,
): Promise<Person> {
  const person = { email, password: 'a password of a colleague' };
  const token = await givenInvitation(site, role, email);
  const { errors } = await site.stack.graph(
    'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { expiresAt } }',
    { input: { token, password: person.password, name: 'Col League' } },
  );
  expect(errors).toBeUndefined();
  return person;
}

/** The balance on the page of a member. */
export const balance = (page: Page) => page.getByTestId('points-balance');

/** Types into a picker and picks one of the results. */
export async function pick(page: Page, input: Locator, typed: string, name: string): Promise<void> {
  await input.fill(typed);
  // Options with equal names show more than the name.
  await page.getByRole('option', { name }).first().click();
}
