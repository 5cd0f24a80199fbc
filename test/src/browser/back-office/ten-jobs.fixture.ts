import { afterAll, expect } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { sumLiabilityJob } from '@loyalty/loyalty-subgraph/points/points.jobs';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { picture } from '../browser.ts';
import type { Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

/** A window that counts clicks. Typing is not counted. */
export interface CountedPage {
  readonly page: Page;
  click(target: Locator): Promise<void>;
  /** Opens a list of choices and takes one of them, which counts as two clicks. */
  choose(list: Locator, choice: string): Promise<void>;
  /** Presses Enter in place of a click, which counts as one. */
  enter(): Promise<void>;
  /** Counts a click outside of the page, such as on a link in an e-mail. */
  count(): void;
  /** Presses one key, by default Tab, until the focus is on the target. */
  tabTo(target: Locator, key?: string): Promise<void>;
  readonly clicks: () => number;
  /** The largest number of presses that a target took. */
  readonly farthest: () => number;
}

/** A target that needs more presses of Tab counts as unreachable. */
const TABS_MAX = 15;

export function countedPage(page: Page): CountedPage {
  let clicks = 0;
  let farthest = 0;
  const count = () => {
    clicks += 1;
  };
  return {
    page,
    count,
    clicks: () => clicks,
    farthest: () => farthest,
    click(target) {
      count();
      return target.click();
    },
    async choose(list, choice) {
      count();
      count();
      await list.selectOption(choice);
    },
    enter() {
      count();
      return page.keyboard.press('Enter');
    },
    async tabTo(target, key = 'Tab') {
      await target.waitFor();
      const passed: unknown[] = [];
      for (let tabs = 0; tabs <= TABS_MAX; tabs += 1) {
        farthest = Math.max(farthest, tabs);
        if ((await target.and(page.locator(':focus')).count()) > 0) return;
        await page.keyboard.press(key);
        passed.push(await page.evaluate('document.activeElement?.outerHTML.slice(0, 200)'));
      }
      throw new Error(`${TABS_MAX} presses of ${key} do not lead to ${target}: ${passed.join('\n')}`);
    },
  };
}

/** Makes the data that the jobs need; returns the id of Mia Moss, who has points. */
export async function givenProgramme(site: Site): Promise<string> {
  const mia = await givenMember(site, 'mia@example.com', 'Mia Moss');
  await givenMember(site, 'ben@example.com', 'Ben Birch');
  await site.admin(`mutation { answer: awardPoints(memberId: "${mia}", input: { amount: 90 }) { id } }`);
  const product = { caller: systemCaller('test'), requestId: 'test' };
  await sumLiabilityJob.run(createContext(site.stack.services, product), {});
  const pool = await site.admin<{ id: string }>(`mutation { answer: createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  const codes = '["AUTUMN-1", "AUTUMN-2"]';
  await site.admin(`mutation { answer: importCoupons(poolId: "${pool.id}", codes: ${codes}) { id } }`);
  const { secret } = await site.admin<{ secret: string }>(`mutation { answer: createApiKey(input: {
    name: "Shop", scopes: ["members:read"], mode: LIVE }) { secret } }`);
  await site.stack.rest('GET', '/api/v2/orders', { as: secret });
  await site.stack.rest('GET', '/api/v2/members', { as: secret });
  return mia;
}

/** Submits a receipt of a member; it waits for a review. */
export async function givenReceipt(site: Site, memberId: string): Promise<void> {
  await site.stack.work();
  await site.admin('mutation { answer: setModule(key: "receipts", enabled: true) { key } }');
  await site.admin(`mutation { answer: createEarningRule(input: {
    kind: BASE, name: "receipts", appliesTo: RECEIPT, priority: 1, rate: 1, isActive: true }) { id } }`);
  await site.admin(`mutation { answer: submitReceipt(input: {
    memberId: "${memberId}", image: "${drawReceipt(receiptLines())}" }) { id } }`);
  await eventually(async () => {
    const waiting = '{ answer: receipts(status: IN_REVIEW) { totalCount } }';
    expect(await site.admin(waiting)).toEqual({ totalCount: 1 });
  });
}

/** Opens the home page of the owner, where every job starts. */
export const atHome = async (site: Site): Promise<CountedPage> => countedPage(await openOffice(site, '/'));

export const button = (part: Page | Locator, name: string): Locator =>
  part.getByRole('button', { name, exact: true });

/** The link to a screen in the menu. */
export const screen = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });

/** Searches by Ctrl+K and opens the first result with the arrow key and Enter. */
export async function findByKeys({ page, enter }: CountedPage, typed: string, found: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[placeholder="Search screens, members, orders and codes"]:focus').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('dialog').getByText(found).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await enter();
}

/** Chooses an item of a list by typing its first letters. */
export async function chooseByKeys(
  { page, tabTo }: CountedPage,
  list: Locator,
  typed: string,
  value: string | RegExp,
): Promise<void> {
  await tabTo(list);
  await page.keyboard.type(typed);
  await eventually(async () => expect(await list.inputValue()).toEqual(expect.stringMatching(value)));
}

/**
 * Returns a function that ends a job and checks the number of its clicks. All numbers are printed at the end.
 */
export function countedJobs() {
  const lines: string[] = [];
  afterAll(() => void process.stdout.write(`\nJob — clicks, from the home page:\n${lines.join('\n')}\n`));
  return async (job: string, { page, clicks, farthest }: CountedPage, most: number): Promise<void> => {
    await picture(page, `job ${job}`);
    const tabs = farthest() > 0 ? `, at most ${farthest()} presses of Tab to a target` : '';
    lines.push(`${job} — ${clicks()}${tabs}`);
    expect(clicks()).toBeLessThanOrEqual(most);
  };
}
