import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { givenInvitation } from './back-office/office.fixture.ts';
import { fitsWidth, leastContrast, picture } from './browser.ts';
import { createSite, press, type Site } from './site.fixture.ts';

let site: Site;
let invitation: string;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
  invitation = await givenInvitation(site, 'MEMBER', 'small@example.com');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** The requests to the graph that pages send before they show anything. */
const loads: Readonly<Record<string, string[]>> = {
  enrol: ['enrollment-page'],
  invitation: ['invitation-page'],
  preferences: ['preferences-page'],
};

describe('on a phone of 320 pixels, light and dark', () => {
  test.each([
    ['enrol', () => `/enrol/${site.form.token}`],
    ['confirm-enrollment', () => '/confirm-enrollment#token=x'],
    ['confirm-email', () => '/confirm-email#token=x'],
    ['reset-password', () => '/reset-password#token=x'],
    ['invitation', () => `/invitation#token=${invitation}`],
    ['sign-in', () => '/sign-in#token=x'],
    ['unsubscribe', () => '/unsubscribe#token=x'],
    ['preferences', () => '/preferences#token=x'],
    ['expired', () => '/reset-password'],
    ['no-form', () => '/enrol?ref=x'],
  ])('%s can be read and used, in both languages', async (name, address) => {
    for (const locale of ['en', 'pt']) {
      const opened = await site.open(address(), { locale });
      const { page } = opened;
      await page.locator('h1:visible').waitFor();
      expect([await page.locator('h1:visible').count(), await fitsWidth(page)]).toEqual([1, true]);
      // The form is submitted empty, so that its errors are shown and nothing is sent.
      if ((await page.locator('input:visible').count()) > 0) await press(opened);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, Math.min(4.5, await leastContrast(page))]).toEqual([colorScheme, 4.5]);
        await picture(page, `${name}-${locale}-${colorScheme}`);
      }
      for (const input of await page.locator('input:visible, button:visible').all()) {
        const box = (await input.boundingBox())!;
        const isTick = (await input.getAttribute('type')) === 'checkbox';
        const label = isTick ? (await input.locator('..').boundingBox())! : box;
        expect(label.height).toBeGreaterThanOrEqual(44);
      }
      for (const field of await page.locator('[data-field] input:visible').all())
        expect(await page.locator(`label[for="${await field.getAttribute('id')}"]`).count()).toBe(1);
      expect(opened.asked).toEqual(loads[name] ?? []);
    }
  });
});
