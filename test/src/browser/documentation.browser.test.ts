import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsOf } from './accessibility.ts';
import { fitsWidth, picture } from './browser.ts';
import { createSite, type Site } from './site.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Opens a page of the documentation. Its scripts have run when the search is there. */
async function openPage(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const { page } = await site.open(path, { width, colorScheme, isStill: true });
  await page.locator('.vp-doc h1').waitFor();
  await page.locator('.VPNavBarSearch button').waitFor();
  return page;
}

test.each(['/docs/', '/docs/start/get-a-key', '/docs/settings', '/docs/reference/rest-paths'])(
  '%s can be read on a phone and on a desk, in light and in dark',
  async (path) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        const page = await openPage(path, width, colorScheme);
        const key = `${width} ${colorScheme}`;
        expect([key, await page.evaluate(`document.documentElement.classList.contains('dark')`)]).toEqual([
          key,
          colorScheme === 'dark',
        ]);
        expect([key, await fitsWidth(page)]).toEqual([key, true]);
        expect([key, await violationsOf(page)]).toEqual([key, []]);
        await picture(page, `site${path.slice(5).replaceAll('/', '-')}-${width}-${colorScheme}`);
      }
  },
);

test.each([
  ['points_awarded', '/docs/events'],
  ['MEMBER_EXISTS', '/docs/reference/error-reasons#member_exists'],
  ['/api/v2/members/:id/points', '/docs/reference/rest-paths#'],
  ['/api/v2/members/{memberId}/redeem-coupon', '/docs/reference/rest-paths#'],
  ['SHUTDOWN_DELAY_MS', '/docs/settings'],
])('the search finds %s on %s', async (words, address) => {
  for (const width of [390, 1280]) {
    const page = await openPage('/docs/', width);
    await page.locator('.VPNavBarSearch button').press('Enter');
    await page.fill('#localsearch-input', words);
    const links = page.locator('.VPLocalSearchBox .results a');
    await links.first().waitFor();
    const found = await page.evaluate(
      `[...document.querySelectorAll('.VPLocalSearchBox .results a')].slice(0, 5).map(({ href }) => href)`,
    );
    expect(found).toContainEqual(expect.stringContaining(`${site.stack.url}${address}`));
    // The results of VitePress are links within options, named by their path of titles.
    const violations = await violationsOf(page, { within: '.VPLocalSearchBox' });
    expect(violations.filter((each) => !/^(nested-interactive|label-content-name)/.test(each))).toEqual([]);
    await picture(page, `site-search-${words.replaceAll(/\W+/g, '-')}-${width}`);
    await page.locator(`.results a[href*="${address}"]`).first().press('Enter');
    await page.waitForURL((url) => url.href.startsWith(`${site.stack.url}${address}`));
  }
});

test('links lead from page to page without loading, and to the references and back', async () => {
  const page = await openPage('/docs/', 1280);
  await page.evaluate('globalThis.isKept = true');
  await page.locator('.vp-doc a', { hasText: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect([new URL(page.url()).pathname, await page.evaluate('globalThis.isKept')]).toEqual([
    '/docs/settings',
    true,
  ]);
  await page.goBack();
  await page.locator('.vp-doc a', { hasText: 'REST v2' }).click();
  await page.getByRole('heading', { name: 'Rules of every call' }).waitFor();
  await page.getByRole('link', { name: 'Documentation', exact: true }).click();
  await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
});

test('an unknown address says so, and leads home', async () => {
  const page = (await site.open('/docs/nothing', { width: 390 })).page;
  await page.getByText('404').waitFor();
  await page.locator('.NotFound a').click();
  await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
});
