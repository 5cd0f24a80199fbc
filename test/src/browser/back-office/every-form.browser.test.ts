import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Locator, Page, Request } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { exceptions, forms } from './every-form.fixture.ts';
import { type FormField, type FormRow, givenSubjects } from './form-row.fixture.ts';
import { openOffice, pick } from './office.fixture.ts';

const APP = join(import.meta.dirname, '../../../../back-office/app');
/** Matches the source of a component that sends data. */
const PARTS = /<(FormDialog|ConfirmDialog|form)\b|\buseActs?\(\w|\b(useEntranceForm|useFieldErrors)\(/;

/** A form that takes longer to react has a fault. */
const ACTION_MS = 8_000;

let site: Site;
let ids: Readonly<Record<string, string>>;
/** The window of the owner. All forms for signed-in users are opened in it. */
let office: Page;
beforeAll(async () => {
  site = await createSite();
  ids = await givenSubjects(site);
  office = await openOffice(site, '/');
}, 180_000);
afterAll(async () => {
  await site.endVisits();
  await site.close();
});

test('every form of the back office is in the table, or has a reason not to be', () => {
  const found = new Set<string>();
  for (const file of readdirSync(APP, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.') || file.startsWith('bench')) continue;
    let component = '';
    for (const line of readFileSync(join(APP, file), 'utf8').split('\n')) {
      const named = /^(?:export )?(?:default )?(?:async )?function (\w+)/.exec(line)?.[1];
      component = named ?? component;
      if (PARTS.test(line) && !line.startsWith('import')) found.add(`${file} ${component}`);
    }
  }
  const known = [...forms.map(({ form }) => form), ...Object.keys(exceptions)];
  expect([...found].sort()).toEqual([...new Set(known)].sort());
});

/** An open form with the calls that it sent. */
interface OpenForm {
  readonly row: FormRow;
  readonly page: Page;
  readonly root: Locator;
  readonly fields: readonly FormField[];
  /** The `Idempotency-Key` of each call. */
  readonly sent: string[];
  /** For each call, whether it succeeded. */
  readonly answers: Promise<boolean>[];
}

test.each(forms.map((row) => [[row.form, row.of, row.mutation].filter(Boolean).join(' '), row] as const))(
  '%s keeps what is typed, shows each error at its field, and acts once',
  async (_, row) => {
    const form = await openForm(row);
    await sentEmpty(form);
    await sentWrong(form);
    for (const field of form.fields) await enter(form, field, field.value);
    if (row.hasSessionEnd) await sessionEnds(form);
    await connectionLost(form);
    await pressedTwice(form);
  },
);

async function openForm(row: FormRow): Promise<OpenForm> {
  const path = row.path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '');
  const page = row.isOutside ? (await site.open(`/app${path}`, { width: 1280 })).page : office;
  page.setDefaultTimeout(ACTION_MS);
  // If the test of an earlier row failed, its blocked connection is still set.
  await page.unrouteAll();
  const [sent, answers]: [string[], Promise<boolean>[]] = [[], []];
  page.on('request', (request) => {
    if (isCall(request, row)) sent.push(request.headers()['idempotency-key'] ?? '');
  });
  page.on('response', (response) => {
    if (!isCall(response.request(), row)) return;
    answers.push(response.json().then(({ errors }) => response.ok() && !errors));
  });
  if (!row.isOutside) {
    await page.goto(`${site.stack.url}/app${path}`);
    const open =
      row.open ?? ((on: Page) => on.getByRole('button', { name: row.name, exact: true }).first().click());
    await open(page);
  }
  const root = row.root?.(page) ?? page.getByRole('dialog', { name: row.name });
  await root.waitFor();
  const fields = (row.fields ?? []).map((field) =>
    field.value === ':password' ? { ...field, value: site.owner.password } : field,
  );
  return { row, page, root, fields, sent, answers };
}

function isCall(request: Request, { mutation }: FormRow): boolean {
  if (request.method() !== 'POST') return false;
  if (mutation === 'session') return request.url().endsWith('/app/session');
  if (!request.url().endsWith('/graphql')) return false;
  return JSON.parse(request.postData() ?? '{}').operationName === mutation;
}

const inputOf = ({ root }: OpenForm, { label }: FormField): Locator => root.getByLabel(label).first();

async function enter(form: OpenForm, field: FormField, value: string): Promise<void> {
  const input = inputOf(form, field);
  if (field.input === 'choice') return void (await input.selectOption(value));
  if (field.input === 'picker') {
    if (value !== '' && (await input.inputValue()) !== value) await pick(form.page, input, value, value);
    return;
  }
  if (field.input === 'preset') {
    if (value !== '') await form.root.getByRole('button', { name: value }).click();
    return;
  }
  if (field.input !== 'file') return input.fill(value);
  const buffer = Buffer.from(drawReceipt(receiptLines({ day: '2026-03-05' })), 'base64');
  if (value !== '')
    await form.page
      .locator('input[type="file"]')
      .setInputFiles({ name: value, mimeType: 'image/png', buffer });
}

async function press({ root, row, page }: OpenForm): Promise<void> {
  const { submit = row.name, confirm } = row;
  await root.getByRole('button', { name: submit, exact: true }).click();
  if (confirm) await page.getByRole('button', { name: confirm }).click();
}

/** The message at a field as a screen reader reads it; '' if the field is valid. */
async function sentenceAt(form: OpenForm, field: FormField): Promise<string> {
  const input = inputOf(form, field);
  if ((await input.getAttribute('aria-invalid')) !== 'true') return '';
  const described = (await input.getAttribute('aria-describedby')) ?? '';
  const texts = described.split(' ').map((id) => form.page.locator(`[id="${id}"]`).allTextContents());
  return (await Promise.all(texts)).flat().join(' ');
}

const done = async ({ answers }: OpenForm): Promise<number> =>
  (await Promise.all(answers)).filter(Boolean).length;

/** Submits the form with its required fields empty: each has a message, and nothing is sent. */
async function sentEmpty(form: OpenForm): Promise<void> {
  const required = form.fields.filter(({ isRequired }) => isRequired);
  if (required.length === 0) return;
  for (const field of required) await enter(form, field, '');
  const { submit = form.row.name } = form.row;
  await form.root.getByRole('button', { name: submit, exact: true }).click();
  await eventually(async () => {
    const sentences = await Promise.all(required.map((field) => sentenceAt(form, field)));
    expect(sentences.filter((sentence) => sentence === '')).toEqual([]);
  });
  expect(form.sent).toEqual([]);
}

/**
 * Submits wrong values: every fault has a message at its field, never above the form, and nothing is done.
 * The checks of the form come first, then those of the types, then those of the services; each value is
 * corrected after its message is shown.
 */
async function sentWrong(form: OpenForm): Promise<void> {
  const wrong = form.fields.filter((field) => field.wrong);
  for (const field of form.fields) await enter(form, field, field.wrong?.[0] ?? field.value);
  const left = new Set(wrong);
  while (left.size > 0) {
    await press(form);
    const found = await eventually(async () => {
      const sentences = await Promise.all([...left].map((field) => sentenceAt(form, field)));
      const said = [...left].filter(
        ({ wrong: [, part] = ['', ''] }, at) => sentences[at] !== '' && sentences[at]?.includes(part),
      );
      expect({ said: said.length > 0, sentences }).toEqual({ said: true, sentences });
      return said;
    });
    expect(await form.root.getByRole('alert').allTextContents()).toEqual([]);
    for (const field of found) {
      left.delete(field);
      await enter(form, field, field.value);
    }
  }
  expect(await done(form)).toBe(0);
}

/** The values of all inputs of a form. */
async function typedIn({ root }: OpenForm): Promise<string[]> {
  const inputs = await root.locator('input:not([type="file"], [type="checkbox"]), textarea, select').all();
  return Promise.all(inputs.map((input) => input.inputValue()));
}

/** Ends the session: the password is asked for above the form, and the form keeps its values. */
async function sessionEnds(form: OpenForm): Promise<void> {
  const { page } = form;
  const typed = await typedIn(form);
  await page.context().clearCookies();
  await press(form);
  const again = page.getByRole('dialog', { name: 'Sign in again to go on' });
  await again.locator('input[autocomplete="current-password"]').fill(site.owner.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  expect(await typedIn(form)).toEqual(typed);
  expect(await done(form)).toBe(0);
}

/** The call arrives but its answer is lost: the form reports it and keeps its values. */
async function connectionLost(form: OpenForm): Promise<void> {
  const { page, row, root } = form;
  const typed = await typedIn(form);
  const address = row.mutation === 'session' ? '**/app/session' : '**/graphql';
  let isRefused = false;
  await page.route(address, async (route) => {
    if (isCall(route.request(), row) && !row.isGoneWhenDone && row.mutation !== 'session')
      isRefused = (await (await route.fetch()).json()).errors !== undefined;
    await route.abort('connectionreset');
  });
  await press(form);
  await root.getByText('The server could not be reached.').first().waitFor();
  // A form with a confirmation returns to its inputs.
  await eventually(async () => expect(await typedIn(form)).toEqual(typed));
  expect(isRefused).toBe(false);
  await page.unroute(address);
}

/** After the connection is back, two quick presses make one act. */
async function pressedTwice(form: OpenForm): Promise<void> {
  const { page, row, root, sent } = form;
  const lost = sent.at(-1);
  sent.length = 0;
  const { submit = row.name, confirm } = row;
  await root.getByRole('button', { name: submit, exact: true }).dblclick();
  if (confirm) {
    expect(sent).toEqual([]);
    // The second press may hit outside the smaller confirmation dialog, which then asks whether to go back.
    const stay = page.getByRole('button', { name: 'Go back' });
    await page.getByRole('button', { name: confirm }).waitFor();
    if (await stay.isVisible()) await stay.click();
    await page.getByRole('button', { name: confirm }).dblclick();
  }
  if (row.done) await row.done(page).waitFor();
  else await root.waitFor({ state: 'detached' });
  expect(sent).toEqual([lost]);
  expect(await done(form)).toBe(1);
  if (row.isOutside) await page.context().close();
}
