import type { Page } from 'playwright-core';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[autocomplete="current-password"]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
