import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { linksFor } from '@loyalty/engagement-subgraph/links/links.service';
import { sentMessage } from '@loyalty/engagement-subgraph/messages/messages.fixture';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf } from '../harness/services.ts';
import { violationsOf } from './accessibility.ts';
import { fitsWidth, picture } from './browser.ts';
import { createSite, heading, press, type Site } from './site.fixture.ts';

let site: Site;
let ctx: Context;
beforeAll(async () => {
  site = await createSite();
  ctx = contextOf(site.stack.services, callerOf({ workspaceId: site.owner.workspaceId }));
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

let people = 0;
/** A recipient with the links of a message to them; the test chooses whether they are a member. */
async function recipient({ isMember }: { isMember: boolean }) {
  people += 1;
  const email = `recipient${people}@example.com`;
  const body = { email, fullName: 'Rea Reader' };
  if (isMember) await site.stack.rest('POST', '/api/v2/members', { as: site.key, body });
  const links = await linksFor(ctx, await sentMessage(ctx, email));
  return { email, ...links, oneClickUrl: links.headers['List-Unsubscribe']!.slice(1, -1) };
}

const isUnsubscribed = async (email: string): Promise<boolean> =>
  (await site.stack.rest('GET', `/api/v2/members/unsubscribe?email=${email}`, { as: site.key })).body.data
    .unsubscribed;

describe('unsubscribing', () => {
  test('is done by the button, not by opening the link, and offers the other choices', async () => {
    const { email, unsubscribeUrl } = await recipient({ isMember: true });
    const opened = await site.open(unsubscribeUrl);
    await heading(opened, 'Unsubscribe');
    await opened.page.waitForLoadState('networkidle');
    expect([opened.asked, await isUnsubscribed(email)]).toEqual([[], false]);
    await press(opened);
    await heading(opened, 'Unsubscribed');
    expect(await isUnsubscribed(email)).toBe(true);
    await opened.page.getByRole('link', { name: 'Choose what you agree to' }).click();
    await heading(opened, /^Your choices at /);
    await opened.page.getByText('You have unsubscribed').waitFor();
    expect(opened.page.url()).toBe(`${site.stack.url}/preferences`);
  });

  test('works by the link of the List-Unsubscribe header, opened in a browser', async () => {
    const { email, oneClickUrl } = await recipient({ isMember: false });
    const opened = await site.open(oneClickUrl);
    await heading(opened, 'Unsubscribe');
    expect([opened.page.url(), await isUnsubscribed(email)]).toEqual([
      `${site.stack.url}/unsubscribe`,
      false,
    ]);
    await press(opened);
    await heading(opened, 'Unsubscribed');
    expect(await isUnsubscribed(email)).toBe(true);
  });

  test('by a forged link fails, and says what is wrong with the link', async () => {
    const forged = await site.open('/unsubscribe#token=forged');
    await press(forged);
    await heading(forged, 'This link is not complete');
    await heading(await site.open('/preferences#token=forged'), 'This link is not complete');
    const answer = await fetch(`${site.stack.url}/u/forged`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('This link does not work'),
    ]);
  });
});

describe('the preference centre', () => {
  test('works by keyboard alone: one purpose is switched on, saved and still on after opening again', async () => {
    const { preferencesUrl, email } = await recipient({ isMember: true });
    const opened = await site.open(preferencesUrl);
    const { page } = opened;
    await heading(opened, /^Your choices at /);
    const box = (name: string) => page.getByRole('checkbox', { name });
    expect(await box('news and offers').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    while ((await page.evaluate('document.activeElement.value')) !== 'PROFILING')
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Your choices are saved.').waitFor();
    expect([opened.asked, page.url()]).toEqual([
      ['preferences-page', 'preferences'],
      `${site.stack.url}/preferences`,
    ]);
    const again = await site.open(preferencesUrl);
    await heading(again, /^Your choices at /);
    expect(await again.page.getByRole('checkbox', { name: 'predictions' }).isChecked()).toBe(true);
    expect(await again.page.getByRole('checkbox', { name: 'exact location' }).isChecked()).toBe(false);
    expect(await isUnsubscribed(email)).toBe(false);
  });

  test('withdraws everything by one button, and does not offer mail again', async () => {
    const { preferencesUrl, email } = await recipient({ isMember: true });
    const opened = await site.open(preferencesUrl, { locale: 'pt-PT' });
    const { page } = opened;
    await heading(opened, /^As suas escolhas em /);
    await page.getByText('não as pode voltar a ligar').waitFor();
    await page.getByRole('button', { name: 'Cancelar tudo' }).click();
    await page.getByRole('status').getByText('foram guardadas').waitFor();
    expect(await isUnsubscribed(email)).toBe(true);
    const mail = page.getByRole('checkbox', { name: 'novidades' });
    expect([await mail.isChecked(), await mail.isDisabled()]).toEqual([false, true]);
    await page.getByText('Cancelou as novidades').waitFor();
    await page.getByRole('checkbox', { name: 'previsões' }).check();
    await press(opened);
    await page.getByRole('status').getByText('foram guardadas').waitFor();
  });

  test('has one choice for a person who is not a member', async () => {
    const { preferencesUrl, email } = await recipient({ isMember: false });
    const opened = await site.open(preferencesUrl);
    await heading(opened, /^Your choices at /);
    expect(await opened.page.getByRole('checkbox').count()).toBe(1);
    await opened.page.getByRole('checkbox').uncheck();
    await press(opened);
    await opened.page.getByText('You have unsubscribed').waitFor();
    expect(await isUnsubscribed(email)).toBe(true);
  });

  test('reports a lost connection, and loses nothing', async () => {
    const { preferencesUrl } = await recipient({ isMember: true });
    const opened = await site.open(preferencesUrl);
    await heading(opened, /^Your choices at /);
    await opened.page.context().setOffline(true);
    await opened.page.getByRole('checkbox', { name: 'predictions' }).check();
    await press(opened);
    await opened.page.getByRole('alert').getByText('There is no connection').waitFor();
    await opened.page.context().setOffline(false);
    await press(opened);
    await opened.page.getByRole('status').getByText('Your choices are saved.').waitFor();
  });
});

describe.each(['light', 'dark'] as const)('on a phone of 360 pixels, %s', (colorScheme) => {
  test.each(['unsubscribe', 'preferences'] as const)(
    '%s has no fault of accessibility before and after',
    async (name) => {
      for (const locale of ['en', 'pt']) {
        const { unsubscribeUrl, preferencesUrl } = await recipient({ isMember: true });
        const link = name === 'unsubscribe' ? unsubscribeUrl : preferencesUrl;
        const opened = await site.open(link, { colorScheme, locale, width: 360 });
        const { page } = opened;
        for (const state of ['before', 'after']) {
          await page.locator('h1:visible').waitFor();
          expect([state, await violationsOf(page), await fitsWidth(page)]).toEqual([state, [], true]);
          await picture(page, `${name}-${state}-${locale}-${colorScheme}`);
          if (state === 'after') break;
          if (name === 'preferences') await page.locator('[data-everything]').click();
          else await press(opened);
          await page.locator('form[aria-busy="false"]').waitFor({ state: 'attached' });
        }
      }
    },
  );
});
