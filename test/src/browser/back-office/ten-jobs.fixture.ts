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

/** A window whose clicks are counted; what is typed is none. */
export interface CountedPage {
  readonly page: Page;
  click(target: Locator): Promise<void>;
  /** Opens a list of choices and takes one of them: two clicks. */
  choose(list: Locator, choice: string): Promise<void>;
  /** Presses Enter, where it does what a click would do. */
  enter(): Promise<void>;
  /** Counts what the person does outside the page, such as a click on a link of a mail. */
  count(): void;
  /** Moves the focus by one key alone, by default Tab, until it is on the target. */
  tabTo(target: Locator, key?: string): Promise<void>;
  readonly clicks: () => number;
  /** The most presses that one target took. */
  readonly farthest: () => number;
}

/** A target that is farther away by Tab is out of reach. */
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

/** What the jobs are done with. Returns the id of Mia Moss, who has points. */
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

/** A receipt of a member that waits for review. */
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

/** The home page of the owner, from where a job starts. */
export const atHome = async (site: Site): Promise<CountedPage> => countedPage(await openOffice(site, '/'));

export const button = (part: Page | Locator, name: string): Locator =>
  part.getByRole('button', { name, exact: true });

/** The link of the menu to a screen. */
export const screen = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });

/** Opens what the palette finds: its first choice is taken by an arrow. */
export async function findByKeys({ page, enter }: CountedPage, typed: string, found: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[placeholder="Search screens, members, orders and codes"]:focus').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('dialog').getByText(found).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await enter();
}

/** Chooses in a list of choices by typing what the choice begins with. */
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

/** Returns what ends a job: its clicks are at most so many. All are printed at the end of the file. */
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
