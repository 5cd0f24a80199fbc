import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice, pick } from './office.fixture.ts';

const office = fileURLToPath(new URL('../../../../back-office/', import.meta.url));
const vite = fileURLToPath(new URL('../../../../node_modules/vite/bin/vite.js', import.meta.url));

let site: Site;
/** The folder of the test build of the application, which has a screen with every component. */
let built: string;
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'bench-'));
  const args = [vite, 'build', '--mode', 'bench', '--outDir', built, '--logLevel', 'error'];
  // A production build: React and the components are several times slower in a test build.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, args, { cwd: office, env });
  site = await createSite();
  for (const name of ['Mia Moss', 'Max Mint']) {
    const address = `${name.split(' ')[0]!.toLowerCase()}@example.com`;
    await givenMember(site, address, name);
  }
  for (const name of ['Harbour', 'Hill'])
    await site.admin(`mutation { answer: createStore(input: { name: "${name}", address: "1" }) { id } }`);
}, 240_000);
afterAll(async () => {
  await site.close();
  await rm(built, { recursive: true });
});
afterEach(() => site.endVisits());

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Opens the screen of all components; the test answers its page and its files from the test build. */
async function openBench(options: { width: number; colorScheme?: 'light' | 'dark' }): Promise<Page> {
  const page = await openOffice(site, '/account', { ...options, isStill: true });
  await page.route('**/app/bench', async (route) => {
    const answer = await route.fetch();
    const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers()['content-security-policy']!)!;
    const html = await readFile(join(built, 'app.html'), 'utf8');
    const body = html.replaceAll('CSP_NONCE', nonce!).replace('SESSION_STATE', 'open');
    return route.fulfill({ response: answer, body });
  });
  await page.route('**/app/assets/*', async (route) => {
    const path = join(built, new URL(route.request().url()).pathname.replace('/app/', ''));
    const contentType = TYPES[extname(path)] ?? 'font/woff2';
    // The page before may still load files; the product answers those.
    if (!existsSync(path)) return route.continue();
    return route.fulfill({ contentType, body: await readFile(path) });
  });
  // A page whose requests the test answers may not open sockets to this machine.
  await page.routeWebSocket('**/graphql', () => undefined);
  await page.goto(`${site.stack.url}/app/bench`);
  await page.getByRole('heading', { name: 'Bench', exact: true }).waitFor();
  await page.getByRole('alert').first().waitFor();
  await page.getByRole('textbox', { name: 'JSON to read' }).waitFor();
  return page;
}

test('the product has no screen of all components', async () => {
  const files = await readdir(join(office, 'dist/assets'));
  expect(files.filter((name) => /\.screen-/.test(name)).length).toBeGreaterThan(10);
  expect(files.filter((name) => name.includes('bench'))).toEqual([]);
  expect((await readdir(join(built, 'assets'))).some((name) => name.startsWith('bench.screen'))).toBe(true);
  const page = await openOffice(site, '/bench');
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
});

test.each(
  (['light', 'dark'] as const).flatMap((colorScheme) => [360, 1280].map((width) => ({ colorScheme, width }))),
)(
  'every part can be used by everybody: %j',
  async ({ colorScheme, width }) => {
    const page = await openBench({ colorScheme, width });
    const found: unknown[] = [];
    const look = async (name: string, within?: string) => {
      await eventually(async () => expect(await page.evaluate(RUNNING)).toBe(0));
      const violations = await violationsOf(page, { within, onlyContrast: colorScheme === 'dark' });
      found.push(...violations.map((violation) => [name, violation]));
      if (!(await fitsWidth(page))) found.push([name, 'is too wide']);
      await picture(page, `bench-${name}-${width}-${colorScheme}`);
    };
    await look('parts');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await look('columns', '[role="dialog"]');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select Row 1', exact: true }).check();
    await page.getByRole('region', { name: 'Selected rows' }).waitFor();
    await look('selected', '[aria-label="Selected rows"]');
    await page.getByLabel('Pick store').click();
    await page.getByRole('option', { name: 'Hill' }).waitFor();
    await look('picker', '[role="listbox"]');
    await page.keyboard.press('Escape');
    expect(Math.min(...(await page.evaluate<number[]>(CONTRASTS)))).toBeGreaterThanOrEqual(4.5);
    const numbers = await page.getByRole('button', { name: 'Table', exact: true }).all();
    for (const button of numbers) await button.click();
    await look('numbers');
    for (const kind of ['dialog', 'drawer', 'refused', 'final']) {
      await page.getByRole('button', { name: `Open ${kind}` }).click();
      await page.getByRole('dialog').waitFor();
      await look(kind, '[role="dialog"]');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  },
  600_000,
);

/** The number of animations that run, without those of progress bars, which run as long as the work takes. */
const RUNNING = `document.getAnimations().filter(({ playState, effect }) =>
  playState === 'running' && effect.getTiming().iterations !== Infinity).length`;

/**
 * The contrast of the text in each cell of a heat map with the cell, whose colour is drawn over that of the
 * card.
 */
const CONTRASTS = `[...document.querySelectorAll('svg rect[fill-opacity]')].map((rect) => {
  const parts = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const luminance = (color) => {
    const [r, g, b] = color.map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const card = parts(getComputedStyle(rect.closest('section')).backgroundColor);
  const share = Number(rect.getAttribute('fill-opacity'));
  const cell = parts(getComputedStyle(rect).fill).map((part, at) => share * part + (1 - share) * card[at]);
  const colors = [cell, parts(getComputedStyle(rect.nextElementSibling).fill)];
  const [light, dark] = colors.map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
})`;

test.each(['TimeSeries', 'Bars', 'Funnel', 'HeatMap', 'Calibration'])(
  '%s says the same by keyboard, as a table and as a file, and says that it is empty',
  async (kind) => {
    const page = await openBench({ width: 1280 });
    const plots = await page.getByRole('region', { name: new RegExp(`^${kind}\\b`) }).all();
    expect(plots.length).toBeGreaterThanOrEqual(4);
    for (const plot of plots) {
      const name = (await plot.getAttribute('aria-label'))!;
      if (name.endsWith(', empty')) {
        await plot.getByText('There are no values yet.').waitFor();
        expect(await plot.getByRole('button').count()).toBe(0);
        continue;
      }
      const texts = await textsOf(plot);
      const file = await fileOf(page, plot);
      await plot.getByRole('button', { name: 'Table' }).click();
      const rows = await plot.getByRole('table', { name, exact: true }).getByRole('row').all();
      const table = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
      expect(table[0]).toEqual(file[0]);
      expect(table).toHaveLength(file.length);
      const perRow = texts.length / (rows.length - 1);
      for (const [at, cells] of table.slice(1).entries()) {
        const text = texts.slice(at * perRow, (at + 1) * perRow).join();
        // The first step of a funnel has no share of an earlier step.
        for (const cell of kind === 'Funnel' && at === 0 ? cells.slice(0, 2) : cells)
          expect(text).toContain(cell);
        for (const [place, cell] of file[at + 1]!.entries())
          if (/^\d[\d.]*$/.test(cell)) expect(isAbout(cells[place]!, Number(cell))).toBe(true);
      }
    }
  },
  300_000,
);

/** The text of each value of a plot: from its slider by the arrow keys, or from the table beside its bars. */
async function textsOf(plot: Locator): Promise<string[]> {
  const slider = plot.getByRole('slider');
  if ((await slider.count()) === 0) return plot.locator('tr, li').allTextContents();
  await slider.press('Home');
  const texts: string[] = [];
  for (let left = Number(await slider.getAttribute('max')); left >= 0; left -= 1) {
    const text = (await slider.getAttribute('aria-valuetext'))!;
    expect(text.startsWith((await plot.locator('strong').textContent())!)).toBe(true);
    texts.push(text);
    await slider.press('ArrowRight');
  }
  return texts;
}

/** The cells of the CSV file that a plot is saved as. */
async function fileOf(page: Page, plot: Locator): Promise<string[][]> {
  const saved = page.waitForEvent('download');
  await plot.getByRole('button', { name: 'CSV' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
  return lines.map((line) =>
    line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replaceAll('"', '')),
  );
}

/** Whether a text is about this value; a table rounds, such as 12.3M or 4%. */
function isAbout(text: string, value: number): boolean {
  const [, digits, unit] = /^([\d.,]+)(.?)$/.exec(text)!;
  const factors: Readonly<Record<string, number>> = { '%': 0.01, K: 1e3, M: 1e6, B: 1e9 };
  const shown = Number(digits!.replaceAll(',', '')) * (factors[unit!.toUpperCase()] ?? 1);
  return Math.abs(shown - value) <= 0.006 + 0.05 * value;
}

test('in a heat map the up and down keys move by a row, and a pointer chooses a cell', async () => {
  const page = await openBench({ width: 1280 });
  const plot = page.getByRole('region', { name: 'HeatMap', exact: true });
  const slider = plot.getByRole('slider');
  await slider.press('ArrowRight');
  await slider.press('ArrowDown');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Feb 2025, Month 1, \d+% of 239$/);
  await slider.press('ArrowUp');
  await slider.press('ArrowUp');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Jan 2025, Month 1, /);
  const cells = plot.locator('svg[role=img]');
  const { width, height } = (await cells.boundingBox())!;
  await cells.hover({ position: { x: width - 4, y: height - 4 } });
  await plot.getByText('Jun 2025, Month 5').waitFor();
  await plot.getByText('Not over yet').waitFor();
});

test('a table can be used by keyboard alone', async () => {
  const page = await openBench({ width: 1280 });
  const sort = page.getByRole('columnheader', { name: 'Points' }).getByRole('button');
  await sort.focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.getByRole('checkbox', { name: 'Select Row 5' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor();
  await page.getByRole('button', { name: 'Act', exact: true }).press('Enter');
  await page.getByLabel('Acted on').filter({ hasText: '7' }).waitFor();
  await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'detached' });
});

test('a picker searches while the user types, works by keyboard alone, and announces its results', async () => {
  const page = await openBench({ width: 1280 });
  const member = page.getByLabel('Pick member');
  await member.focus();
  await page.keyboard.type('nobody at all');
  await page.getByText('Nothing found').first().waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mia');
  await page.getByRole('option', { name: /Mia Moss/ }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await member.inputValue()).toBe('Mia Moss'));
  expect(await page.getByLabel('Picked').textContent()).toMatch(/^[\da-f-]{36}$/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Choose nothing' }).click();
  await eventually(async () => expect(await member.inputValue()).toBe(''));
  await pick(page, page.getByLabel('Pick store'), 'hil', 'Hill');
  await eventually(async () => expect(await page.getByLabel('Pick store').inputValue()).toBe('Hill'));
  await page.route('**/graphql', async (route) =>
    route.request().postData()?.includes('PickSegments')
      ? route.fulfill({ status: 503, contentType: 'application/json', body: '{"errors":[]}' })
      : route.continue(),
  );
  await page.getByLabel('Pick segment').click();
  await page.getByText('The search failed.').waitFor();
});

test('dates are chosen by a period or one by one', async () => {
  const page = await openBench({ width: 1280 });
  const part = page.getByRole('region', { name: 'DateRange', exact: true });
  const days = part.getByLabel('Days');
  await part.getByLabel('Period').selectOption('Last 7 days');
  const [from, to] = [part.getByLabel('From'), part.getByLabel('To', { exact: true })];
  await eventually(async () => expect(await from.inputValue()).not.toBe(''));
  expect(await days.textContent()).toBe(`${await from.inputValue()}/${await to.inputValue()}`);
  await from.fill('2026-03-02');
  expect(await part.getByLabel('Period').inputValue()).toBe('own');
  await to.fill('2026-03-01');
  await part.getByText('It ends before it begins.').waitFor();
  await part.getByLabel('Period').selectOption('Any time');
  expect(await days.textContent()).toBe('/');
});

test('a press outside does not close a dialog with typed data, or with data that is shown only once', async () => {
  const page = await openBench({ width: 1280 });
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  for (const kind of ['dialog', 'drawer']) {
    await page.getByRole('button', { name: `Open ${kind}` }).click();
    const dialog = page.getByRole('dialog', { name: kind });
    await dialog.getByLabel('Name').fill('typed');
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Go back' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('typed');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    // A dialog without typed data closes at once.
    await page.getByRole('button', { name: `Open ${kind}` }).click();
    await dialog.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Open once' }).click();
  const once = page.getByRole('dialog', { name: 'once' });
  await once.getByText('secret').waitFor();
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await once.getByText('secret').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await once.getByRole('button', { name: 'Kept' }).click();
  await once.waitFor({ state: 'detached' });
});

test('JSON is typed, corrected and formatted by keyboard, and the keyboard can leave the editor', async () => {
  const page = await openBench({ width: 1280 });
  const json = page.getByRole('textbox', { name: 'JSON', exact: true });
  await json.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"id": 12345678901234567890\n"b": 1}');
  const fault = page.getByText('This is not JSON from line 2, column 3 on.');
  await fault.waitFor();
  expect(await json.getAttribute('aria-invalid')).toBe('true');
  const describedBy = (await json.getAttribute('aria-describedby'))!.split(' ');
  expect(describedBy).toHaveLength(2);
  for (const id of describedBy) expect(await page.locator(`[id="${id}"]`).count()).toBe(1);
  await page.keyboard.press('Home');
  await page.keyboard.type(',');
  await fault.waitFor({ state: 'detached' });
  expect(await json.getAttribute('aria-invalid')).toBe('false');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const value = page.getByLabel('JSON of the form');
  expect(await value.textContent()).toBe('{\n  "id": 12345678901234567890,\n  "b": 1\n}');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Control+z');
  await eventually(async () => expect(await value.textContent()).toContain('{"id"'));
  await page.keyboard.press('Shift+Tab');
  expect(await page.locator('[contenteditable]:focus').count()).toBe(0);
  const read = page.getByRole('textbox', { name: 'JSON to read' });
  await picture(page, 'bench-json');
  await read.focus();
  await page.keyboard.type('x');
  expect(await read.getAttribute('aria-readonly')).toBe('true');
  expect(await read.textContent()).not.toContain('x');
});

test('a form made from a JSON Schema shows each error at its field, and sends an object', async () => {
  const page = await openBench({ width: 1280 });
  const part = page.getByRole('region', { name: 'SchemaForm', exact: true });
  const send = () => part.getByRole('button', { name: 'Send object' }).click();
  await part.getByLabel('Limit').fill('21');
  await part.getByLabel('Amount').fill('1.5');
  await part.getByLabel('Currency').fill('euro');
  await send();
  await part.getByText('This is required.').waitFor();
  await part.getByText('Enter a number from 1 to 20.').waitFor();
  await part.getByText('This does not have the form that is asked for.').waitFor();
  await part.getByLabel('Name').fill('Gold');
  await part.getByLabel('Limit').fill('');
  await part.getByLabel('Currency').fill('EUR');
  await part.getByLabel('Version').selectOption('std-2');
  await part.getByLabel('Items').fill('first');
  await page.keyboard.press('Enter');
  await pick(page, part.getByLabel('Member id'), 'mia', 'Mia Moss');
  await part.getByRole('textbox', { name: 'Details' }).click();
  await page.keyboard.type('{"a": [1]}');
  await send();
  const sent = part.getByLabel('Sent object');
  await eventually(async () => expect(await sent.textContent()).toContain('Gold'));
  expect(JSON.parse((await sent.textContent())!)).toEqual({
    ...{ name: 'Gold', version: 'std-2', is_live: true, items: ['first'], kind: 'FIXED' },
    ...{ member_id: expect.stringMatching(/^[\da-f-]{36}$/), budget: { amount: 1.5, currency: 'EUR' } },
    details: { a: [1] },
  });
  await page.getByText('Refused by the server').waitFor();
});
