import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

let site: Site;
let id: string;
beforeAll(async () => {
  site = await createSite();
  id = await givenMember(site, 'mia@example.com', 'Mia Moss');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Screens' });
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

describe('the menu', () => {
  test('keeps closed groups closed, and marks the current screen', async () => {
    const page = await openOffice(site, '/tiers');
    const group = menuOf(page).getByRole('button', { name: 'Programme' });
    const entry = menuOf(page).getByRole('link', { name: 'Tiers' });
    await entry.waitFor();
    expect(await entry.getAttribute('aria-current')).toBe('page');
    // A group with one entry has no heading.
    expect(await menuOf(page).getByRole('button', { name: 'Home' }).count()).toBe(0);
    await group.click();
    await entry.waitFor({ state: 'detached' });
    await page.reload();
    await group.waitFor();
    expect([await group.getAttribute('aria-expanded'), await entry.count()]).toEqual(['false', 0]);
    await menuOf(page).getByRole('link', { name: 'Members' }).waitFor();
    await group.click();
    await entry.click();
    await page.getByRole('heading', { level: 1, name: 'Tiers' }).waitFor();
  });

  test('stays narrow after a reload, and opens its groups beside it', async () => {
    const page = await openOffice(site, '/');
    await page.getByRole('button', { name: 'Make the menu narrow' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Make the menu wide' }).waitFor();
    expect((await menuOf(page).boundingBox())!.width).toBeLessThan(64);
    await menuOf(page).getByRole('button', { name: 'Integrate' }).click();
    await page.getByRole('menuitem', { name: 'Imports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    await menuOf(page).getByRole('button', { name: 'Members' }).click();
    await page.getByRole('menuitem', { name: 'Members' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  test('opens from the bar on a phone, and closes when a screen is chosen', async () => {
    const page = await openOffice(site, '/', { width: 390 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await menuOf(page).getByRole('link', { name: 'Tiers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tiers' }).waitFor();
    await menuOf(page).getByRole('link', { name: 'Tiers' }).waitFor({ state: 'hidden' });
  });
});

describe('before the scripts have run', () => {
  const look = (page: Page, selector: string) =>
    page.evaluate(`(() => {
      const element = document.querySelector('${selector}');
      const { backgroundColor, width } = getComputedStyle(element);
      return [backgroundColor, width, element.getBoundingClientRect().left];
    })()`);

  const SCRIPTS = '**/app/assets/*.js';
  const stop = (page: Page) =>
    page.route(SCRIPTS, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

  test.each(['light', 'dark'] as const)(
    'the frame has the colours and the place that it has afterwards, %s',
    async (colorScheme) => {
      const page = await openOffice(site, '/tiers', { colorScheme });
      for (const isNarrow of [false, true]) {
        if (isNarrow) await page.getByRole('button', { name: 'Make the menu narrow' }).click();
        await stop(page);
        await page.reload();
        await page.locator('.first-frame svg').waitFor();
        const first = await look(page, '.first-frame');
        await page.unroute(SCRIPTS);
        await page.reload();
        await menuOf(page).waitFor();
        expect(await look(page, 'nav[aria-label="Screens"]')).toEqual(first);
      }
      expect(await page.locator('.first-frame').count()).toBe(0);
    },
  );

  test('the frame is not shown to a visitor who is not signed in', async () => {
    const { page } = await site.open('/app/', { width: 1280 });
    await stop(page);
    await page.reload();
    expect(await page.locator('.first-frame').isVisible()).toBe(false);
  });
});

test('the path of a screen links to the screens above it', async () => {
  const page = await openOffice(site, `/members/${id}/points`);
  const trail = page.getByRole('navigation', { name: 'Path' });
  await trail.getByRole('link', { name: 'Mia Moss' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mia Moss' }).waitFor();
  expect(pathOf(page)).toBe(`/app/members/${id}`);
  await trail.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  expect(await trail.count()).toBe(0);
});

describe('test mode', () => {
  test('is part of the URL of every screen, and a link opens it', async () => {
    const page = await openOffice(site, '/members?mode=test');
    const banner = page.getByRole('status').filter({ hasText: 'Test mode' });
    await banner.waitFor();
    await page.getByText('There are no members yet.').waitFor();
    await menuOf(page).getByRole('link', { name: 'Tiers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tiers' }).waitFor();
    expect(pathOf(page)).toBe('/app/tiers?mode=test');
    await page.goto(`${site.stack.url}/app/tiers`);
    await page.getByRole('heading', { level: 1, name: 'Tiers' }).waitFor();
    expect(await banner.count()).toBe(0);
  });

  test('keeps the filter of an earlier list, and ends on going back', async () => {
    const page = await openOffice(site, '/members?search=mia@example.com');
    const link = page.getByRole('link', { name: 'Mia Moss' });
    await link.waitFor();
    await menuOf(page).getByRole('link', { name: 'Tiers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tiers' }).waitFor();
    await page.getByRole('button', { name: "Ada Owner's workspace" }).click();
    await page.getByRole('menuitem', { name: 'Switch to test mode' }).click();
    await page.getByRole('status').filter({ hasText: 'Test mode' }).waitFor();
    expect(pathOf(page)).toBe('/app/tiers?mode=test');
    await page.goBack();
    await link.waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('mia@example.com');
    await page.goForward();
    await page.getByRole('status').filter({ hasText: 'Test mode' }).waitFor();
  });
});

describe('the search', () => {
  test('gets every letter that is typed right after its shortcut, and no other shortcut gets one', async () => {
    const page = await openOffice(site, '/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const field = page.getByPlaceholder('Search screens, members, orders and codes');
    for (const word of ['Audit', 'Tiers']) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(word);
      await page.getByRole('dialog').getByText(word, { exact: true }).waitFor();
      await eventually(async () => expect(await field.inputValue()).toBe(word));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});

test('a list of 50 members stays short on a phone, and has few elements', async () => {
  const input = Array.from({ length: 50 }, (_, at) => ({
    email: `phone.${at}@example.com`,
    fullName: `Phone ${at}`,
  }));
  await site.admin(
    'mutation ($input: [UpsertMemberInput!]!) { answer: upsertMembers(input: $input) { __typename } }',
    { input },
  );
  const page = await openOffice(site, '/members', { width: 390 });
  await page.getByRole('row').nth(49).waitFor();
  const height = await page.evaluate('document.documentElement.scrollHeight');
  const nodes = await page.evaluate('document.querySelectorAll("*").length');
  expect(height).toBeLessThan(4_000);
  expect(nodes).toBeLessThan(3_000);
});

test('the element with the focus is never under the header of the screen', async () => {
  const page = await openOffice(site, '/members');
  await page.getByRole('row').nth(50).waitFor();
  await page.getByRole('button', { name: 'Next' }).focus();
  const hidden = `(() => {
    const { x, y, width, height } = document.activeElement.getBoundingClientRect();
    return !document.activeElement.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`;
  for (let back = 0; back < 45; back += 1) {
    await page.keyboard.press('Shift+Tab');
    expect([back, await page.evaluate(hidden)]).toEqual([back, false]);
  }
});
