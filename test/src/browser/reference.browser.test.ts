import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { demo } from '@loyalty/cli/seed/seed-data';
import type { Page } from 'playwright-core';
import { violationsOf } from './accessibility.ts';
import { openOffice } from './back-office/office.fixture.ts';
import { fitsWidth, picture } from './browser.ts';
import { createSite, type Site } from './site.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Opens a REST reference and waits until the document is shown. */
async function openRest(path: string, width: number): Promise<Page> {
  const { page } = await site.open(path, { width, isStill: true });
  await page.getByRole('heading', { name: 'Rules of every call' }).waitFor();
  return page;
}

test.each(['/docs/rest', '/docs/rest/v1'])('%s can be read on a phone and on a desk', async (path) => {
  const page = await openRest(path, 390);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`body.${colorScheme}-mode`).waitFor();
      expect([width, await fitsWidth(page)]).toEqual([width, true]);
      // Scalar renders a button without a name beside alternatives of a schema.
      const found = (await violationsOf(page)).filter((each) => !each.startsWith('button-name'));
      expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
      expect(
        await page
          .getByText(/scalar/i)
          .filter({ visible: true })
          .count(),
      ).toBe(0);
      await picture(page, `reference${path.replaceAll('/', '-')}-${width}-${colorScheme}`);
    }
  }
});

/** The links of the head, with position, size and font. */
const headOf = (page: Page) =>
  page.evaluate(`JSON.stringify([...document.querySelectorAll('.head a')].map((link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return [link.textContent, link.pathname, x, y + scrollY, width, height, getComputedStyle(link).font];
  }))`);

const PAGES = [
  ['/docs/rest', 'REST'],
  ['/docs/rest/v1', 'REST'],
  ['/docs/graphql/Tier', 'Schema'],
  ['/docs/errors', 'Schema'],
  ['/docs/errors/INTERNAL', 'Schema'],
  ['/graphql', 'Explorer'],
] as const;

test('the references and the explorer have one header, in light and dark, and no accessibility fault', async () => {
  const heads = new Map<string, unknown>();
  const { page } = await site.open('/docs/rest', { width: 1280 });
  for (const [path, current] of PAGES) {
    await page.goto(`${site.stack.url}${path}`);
    await page.locator('.head').waitFor();
    if (current === 'REST') await page.getByRole('heading', { name: 'Rules of every call' }).waitFor();
    expect(await page.locator('.head [aria-current]').allTextContents()).toEqual([current]);
    // There are thousands of similar entries, so only the first 20 are kept.
    await page.evaluate(
      `for (const each of [...document.querySelectorAll('main details')].slice(20)) each.remove()`,
    );
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const [key, head] = [`${width} ${colorScheme}`, await headOf(page)];
        if (!heads.has(key)) heads.set(key, head);
        expect([path, key, head]).toEqual([path, key, heads.get(key)]);
        expect([path, key, await fitsWidth(page)]).toEqual([path, key, true]);
        // The tests above check the REST pages.
        if (current !== 'REST') expect([path, key, await violationsOf(page)]).toEqual([path, key, []]);
        await picture(page, `head${path.replaceAll('/', '-')}-${width}-${colorScheme}`);
      }
    }
  }
}, 180_000);

test('a link that names an operation leads to it', async () => {
  const page = await openRest('/docs/rest#GetMember', 1280);
  await page.getByRole('heading', { name: 'One member, with personal fields unmasked' }).first().waitFor();
  expect(new URL(page.url()).hash).toBe('#tag/members/GetMember');
});

test.each([390, 1280])(
  'one press makes a test key in the demo workspace, with which a call is sent, %d pixels wide',
  async (width) => {
    const { email, password } = demo.account;
    const body = { email, password, name: 'Demo Owner' };
    expect([201, 409]).toContain((await site.stack.rest('POST', '/api/v2/auth/register', { body })).status);
    const page = await openRest('/docs/rest#ListMembers', width);
    await page.locator('#demo').press('Enter');
    await page.getByText('The test key is ready').waitFor();
    await page.getByRole('button', { name: /^Test Request.*get \/api\/v2\/members\)/ }).press('Enter');
    const answered = page.waitForResponse(/\/api\/v2\/members\?/);
    await page.locator('[data-addressbar-action=send]').filter({ visible: true }).press('Enter');
    const answer = await answered;
    expect([answer.status(), await answer.json()]).toEqual([200, { members: [], total: 0 }]);
    expect(await answer.request().headerValue('authorization')).toMatch(/^Bearer lk_test_/);
  },
);

test('typed words filter the graph reference, and a link to a field opens its type', async () => {
  const { page } = await site.open('/docs/graphql#Member.pointsBalance', { width: 1280 });
  expect(await page.locator('#Member').getAttribute('open')).toBe('');
  const types = page.locator('main details:visible');
  const all = await types.count();
  await page.fill('#words', 'award points');
  await page.locator('[id="Mutation.awardPoints"]').waitFor();
  expect(await page.locator('#found').textContent()).toMatch(/^\d+ of \d+$/);
  const found = await types.count();
  expect([found > 0, found < all / 5]).toEqual([true, true]);
});

test('the explorer opens without an error, is signed in to with a key, and has saved queries', async () => {
  for (const width of [390, 1280]) {
    const { page } = await site.open('/graphql', { width });
    await page.locator('#welcome').waitFor();
    expect([await fitsWidth(page), await page.locator('#saved option').count()]).toEqual([true, 10]);
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, `explorer-${width}`);
    await page.fill('#credential', site.owner.token);
    await page.locator('#sign-in button').press('Enter');
    await page.locator('#leave').waitFor();
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.result-window', { hasText: '"data"' }).waitFor();
    await page.selectOption('#saved', 'Stores');
    await page.locator('.graphiql-editors', { hasText: /stores\(first:\s10\)/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await picture(page, `explorer-signed-in-${width}`);
  }
});

test('the explorer uses the session of the back office, unless a key is chosen', async () => {
  const page = await openOffice(site, '/');
  await page.goto(`${site.stack.url}/graphql`);
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window', { hasText: '"data"' }).waitFor();
  await page.getByRole('button', { name: 'Use a key instead' }).click();
  await page.fill('#credential', site.owner.token);
  await page.locator('#sign-in button').press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
});

test('a subscription in the explorer shows events as they happen', async () => {
  const { id } = await site.admin<{ id: string }>(
    'mutation { answer: createMember(input: { email: "mia@example.com" }) { id } }',
  );
  const { page } = await site.open('/graphql', { width: 1280 });
  await page.fill('#credential', site.owner.token);
  await page.locator('#sign-in button').press('Enter');
  await page.locator('.graphiql-editors').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(`subscription Watch { memberActivity(memberId: "${id}") { kind } }`);
  await page.locator('.graphiql-tab', { hasText: 'Watch' }).waitFor();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-execute-button[aria-label^="Stop"]').waitFor();
  await site.admin(`mutation { answer: awardPoints(memberId: "${id}", input: { amount: 5 }) { amount } }`);
  await site.stack.work();
  await page.locator('.result-window', { hasText: 'memberActivity' }).waitFor();
  await picture(page, 'explorer-subscription');
});
