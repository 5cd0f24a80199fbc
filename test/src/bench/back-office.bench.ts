import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { signIn } from '../browser/back-office/sign-in.ts';
import { startBrowser } from '../browser/browser.ts';
import { percentile } from './measure.ts';
import { fillMembers } from './member-rows.ts';
import { startProduct } from './product.ts';

/**
 * Measures the back office of a workspace with 200,000 members in Chromium: first paint, a change of the
 * screen, filters, searches, and the memory that 50 pages leave behind. It fails when a median is over its
 * bar. `--members 2000` makes a short run.
 */
const { values } = parseArgs({ options: { members: { type: 'string', default: '200000' } } });
const MEMBERS = Number(values.members);
const RUNS = 9;
const PAGES = [1, 10, 25, 50] as const;
/** The search waits this long after the last key. The figures are printed with this delay and without it. */
const DEBOUNCE_MS = 120;
const MEGABIT = (1_024 * 1_024) / 8;

const bars = {
  paintMs: 1_200,
  routeMs: 200,
  filterMs: 400,
  searchMs: 400,
  elements: 3_000,
  /** The most that the heap may grow from page 10 to page 50, as a factor. */
  heapGrowth: 1.15,
  layoutShift: 0.1,
} as const;

/** An expression that is true when the table has at least that many rows and nothing is loading. */
const hasRows = (rows: number): string =>
  `!document.querySelector('[aria-busy=true]') && document.querySelectorAll('tbody tr').length >= ${rows}`;
const PAGE_IS_FULL = hasRows(50);

const product = await startProduct();
const browser = await startBrowser();
try {
  const startedAt = performance.now();
  await fillMembers(product, MEMBERS);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${MEMBERS} members in ${seconds.toFixed(0)} s\n`);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await open(page, '/members');
  await signIn(page, { email: 'bench@example.com', password: 'a long bench password' });
  await shown(page, PAGE_IS_FULL);
  report(['figure', 'median', '95%', 'bar', '']);
  await paints(page, session);
  await routes(page);
  await filters(page);
  await searches(page);
  await elements(page);
  await heap(page, session);
  await shifts(page);
} finally {
  await browser.close();
  await product.close();
}

/** Prints one row of the table of results. */
function report([figure, ...cells]: readonly [string, ...string[]]): void {
  console.log(`${figure.padEnd(56)}${cells.map((cell) => cell.padStart(9)).join('')}`.trimEnd());
}

/** Prints a figure. If it has a bar, the bench fails when its median is over the bar. */
function judge(figure: string, measured: readonly number[], bar: number | null, digits = 0): void {
  const [middle, high] = [percentile(measured, 0.5), percentile(measured, 0.95)];
  const shownHigh = measured.length > 1 ? high.toFixed(digits) : '';
  const isMissed = bar !== null && middle > bar;
  if (isMissed) process.exitCode = 1;
  const verdict = bar === null ? [] : [String(bar), isMissed ? 'missed' : 'met'];
  report([figure, middle.toFixed(digits), shownHigh, ...verdict]);
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${product.url}/app${address}`);
}

/**
 * Waits until an expression is true in the page. The policy of the page does not allow Playwright's own way.
 */
function shown(page: Page, expression: string): Promise<void> {
  return page.evaluate(`new Promise((resolve) => {
    const look = () => ((${expression}) ? resolve() : requestAnimationFrame(look));
    look();
  })`);
}

/**
 * Measures the first paint. Each time the page is loaded without a cache, on a processor slowed down four
 * times.
 */
async function paints(page: Page, session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const line = {
    offline: false,
    downloadThroughput: 10 * MEGABIT,
    uploadThroughput: 10 * MEGABIT,
    latency: 40,
  };
  const unlimited = { ...line, downloadThroughput: -1, uploadThroughput: -1, latency: 0 };
  for (const [name, conditions, bar] of [
    ['4 times slower', unlimited, bars.paintMs],
    ['4 times slower, 10 Mbit/s and 40 ms', line, null],
  ] as const) {
    await session.send('Network.emulateNetworkConditions', conditions);
    const first: number[] = [];
    const largest: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await open(page, '/members');
      await shown(page, PAGE_IS_FULL);
      first.push(await lastEntry(page, 'paint'));
      largest.push(await lastEntry(page, 'largest-contentful-paint'));
    }
    judge(`first paint, ms; ${name}`, first, bar);
    judge(`largest paint, ms; ${name}`, largest, bar);
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.send('Network.disable');
}

/** The time of the last performance entry of a type. */
function lastEntry(page: Page, type: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: '${type}', buffered: true }))`);
}

/**
 * Measures the milliseconds from the last `event` that `act` causes to the frame that shows its outcome.
 *
 * @param event - the event from which the time counts
 * @param isThere - an expression that is true when the outcome is shown; in it, `before` is the text of the
 *   rows before the act
 */
async function timed(
  page: Page,
  { event, isThere, act }: { event: 'click' | 'input'; isThere: string; act: () => Promise<unknown> },
): Promise<number> {
  await page.evaluate(`(() => {
    const rows = () => document.querySelector('tbody')?.textContent;
    const before = rows();
    let begin;
    const note = ({ timeStamp }) => { begin = timeStamp; };
    addEventListener('${event}', note, true);
    globalThis.measured = new Promise((resolve) => {
      const look = () => {
        if (begin === undefined || !(${isThere})) return requestAnimationFrame(look);
        // The next task runs when this frame has been drawn.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          removeEventListener('${event}', note, true);
          resolve(performance.now() - begin);
        };
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    });
  })()`);
  await act();
  return page.evaluate('globalThis.measured');
}

async function routes(page: Page): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Screens' });
  const times: Record<string, number[]> = { Members: [], Tiers: [] };
  await open(page, '/members');
  await shown(page, PAGE_IS_FULL);
  // The first visit of a screen loads its file, so it is not measured.
  for (let run = -1; run < RUNS; run += 1)
    for (const [name, rows] of [
      ['Tiers', 3],
      ['Members', 50],
    ] as const) {
      const time = await timed(page, {
        event: 'click',
        isThere: `document.querySelector('h1')?.textContent === '${name}' && ${hasRows(rows)}`,
        act: () => menu.getByRole('link', { name, exact: true }).click(),
      });
      if (run >= 0) times[name]!.push(time);
    }
  for (const [name, each] of Object.entries(times))
    judge(`to another screen, ms: ${name}`, each, bars.routeMs);
}

async function filters(page: Page): Promise<void> {
  for (const [label, option] of [
    ['Status', 'Inactive'],
    ['Tier', 'Gold'],
    ['Order', 'Most points'],
    ['Order', 'Latest activity'],
  ] as const) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await open(page, '/members');
      await shown(page, PAGE_IS_FULL);
      times.push(
        await timed(page, {
          event: 'input',
          isThere: `rows() !== before && ${PAGE_IS_FULL}`,
          act: () => page.getByLabel(label).selectOption(option),
        }),
      );
    }
    judge(`to the rows of a filter, ms: ${label}, ${option}`, times, bars.filterMs);
  }
}

async function searches(page: Page): Promise<void> {
  const times: number[] = [];
  for (const letters of ['Zul', 'Hel', 'Gas', 'Quit', 'Bea', 'Ric', 'Fil', 'Tia', 'Mat']) {
    await open(page, '/members');
    await shown(page, PAGE_IS_FULL);
    times.push(
      await timed(page, {
        event: 'input',
        isThere: `rows() !== before && document.querySelector('tbody [data-name]')?.textContent.startsWith('${letters}')`,
        act: () => page.getByRole('searchbox', { name: 'Search' }).pressSequentially(letters),
      }),
    );
  }
  judge('from the last letter to the found rows, ms', times, bars.searchMs);
  const withoutDebounce = times.map((time) => time - DEBOUNCE_MS);
  judge(`the same without the ${DEBOUNCE_MS} ms that it waits, ms`, withoutDebounce, null);
}

async function elements(page: Page): Promise<void> {
  for (const rows of [50, 200]) {
    if (rows >= MEMBERS) continue;
    await open(page, `/members?size=${rows}`);
    await shown(page, hasRows(rows));
    const count = await page.evaluate<number>('document.querySelectorAll("*").length');
    judge(`elements of a page of ${rows} rows`, [count], bars.elements);
  }
}

/** Measures the heap after garbage collection while the pages are visited. */
async function heap(page: Page, session: CDPSession): Promise<void> {
  await session.send('Performance.enable');
  await open(page, '/members');
  await shown(page, PAGE_IS_FULL);
  const megabytes = new Map<number, number>();
  for (let number = 1; number <= PAGES.at(-1)!; number += 1) {
    if (number > 1)
      await timed(page, {
        event: 'click',
        isThere: 'rows() !== before',
        act: () => page.getByRole('button', { name: 'Next', exact: true }).click(),
      });
    if (!PAGES.some((each) => each === number)) continue;
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value / 2 ** 20;
    megabytes.set(number, used);
    judge(`heap after ${number} ${number === 1 ? 'page' : 'pages'}, MB`, [used], null, 1);
  }
  judge('heap after 50 pages, against 10', [megabytes.get(50)! / megabytes.get(10)!], bars.heapGrowth, 2);
}

/** Measures the layout shift of the home screen while it loads. */
async function shifts(page: Page): Promise<void> {
  const moved: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await open(page, '/');
    await page.waitForLoadState('networkidle');
    moved.push(
      await page.evaluate<number>(`new Promise((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(0), 200);
      })`),
    );
  }
  judge('layout shift of the home screen', moved, bars.layoutShift, 3);
}
