import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import { violationsOf } from '../accessibility.ts';
import { fitsWidth, picture } from '../browser.ts';
import { createSite, type Site } from '../site.fixture.ts';
import { givenMember, openOffice } from './office.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
  await site.stack.work();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

/** Chooses a file in the import dialog; opens the dialog if it is closed. */
async function chooseFile(page: Page, name: string, content: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  if ((await dialog.count()) === 0) await page.getByRole('button', { name: 'Import a file' }).click();
  await dialog.waitFor();
  const buffer = Buffer.from(content);
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  return dialog;
}

const read = (dialog: Locator) => dialog.getByRole('button', { name: 'Read the file' }).click();

/** Presses a button and returns the file that the browser downloads. */
async function saved(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test.each([
  [1280, 'light'],
  [360, 'dark'],
] as const)(
  'a file with wrong headers is mapped, checked and imported; its refused rows are downloaded (%i, %s)',
  async (width, colorScheme) => {
    const page = await openOffice(site, '/imports', { width, colorScheme });
    const look = async (step: string) => {
      await eventually(async () => expect(await violationsOf(page)).toEqual([]));
      expect(await fitsWidth(page)).toBe(true);
      await picture(page, `import-${step}-${width}`);
    };
    const content = `Correo,Nombre,Nivel\nada${width}@example.com,Ada,1\nnobody,"Bo, the second",2\n`;
    const dialog = await chooseFile(page, 'wrong headers.csv', content);
    await look('file');
    await read(dialog);
    const email = dialog.getByLabel('Column Correo fills');
    await email.waitFor();
    expect(await email.inputValue()).toBe('email');
    expect(await dialog.getByLabel('Column Nombre fills').inputValue()).toBe('full_name');
    expect(await dialog.getByLabel('Column Nivel fills').inputValue()).toBe('');
    await dialog.getByText(`ada${width}@example.com · nobody`).waitFor();
    const next = dialog.getByRole('button', { name: 'Show the first rows' });
    await email.selectOption('');
    await dialog.getByText('No column is chosen yet for: E-mail address').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await email.selectOption({ label: 'E-mail address' });
    await look('columns');
    await next.click();
    await dialog.getByRole('cell', { name: `ada${width}@example.com` }).waitFor();
    await dialog.getByText('Columns that are not used: Nivel').waitFor();
    await dialog.getByText('Row 3: E-mail address: Enter a full e-mail address').waitFor();
    await look('check');
    await dialog.getByRole('button', { name: 'Start the import' }).dblclick();
    await dialog.getByText('Completed with errors').waitFor();
    await dialog.getByText('Refused: 1').waitFor();
    await look('result');
    const { name, text } = await saved(page, dialog.getByRole('button', { name: 'Download refused rows' }));
    expect(name).toBe('wrong headers-errors.csv');
    expect(text.split('\r\n')).toEqual([
      'Correo,Nombre,Nivel,error',
      expect.stringMatching(/^nobody,"Bo, the second",2,"?E-mail address: Enter a full e-mail address/),
      '',
    ]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('wrong headers.csv').first().waitFor();
  },
);

test('refused rows are imported by a retry after what they lacked was added', async () => {
  const page = await openOffice(site, '/imports');
  const content = 'Pedido,Data,Moeda,Valor,Email\nR-1,2026-02-01T10:00:00Z,EUR,500,late@example.com\n';
  const dialog = await chooseFile(page, 'orders.csv', content);
  await dialog.getByLabel('Contents').selectOption('ORDERS');
  await read(dialog);
  await dialog.getByRole('button', { name: 'Show the first rows' }).click();
  await dialog.getByRole('button', { name: 'Start the import' }).click();
  await dialog.getByText('Refused: 1').waitFor();
  await page.keyboard.press('Escape');
  await givenMember(site, 'late@example.com', 'Late Member');
  const row = page.getByRole('row', { name: /orders\.csv/ });
  await row.getByRole('button', { name: 'Show problems' }).click();
  const problems = page.getByRole('dialog', { name: 'Show problems' });
  await problems.getByText(/There is no such member/).waitFor();
  await problems.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /orders\.csv.*Completed(?! with)/ }).waitFor();
});

test('a lost connection and a closed dialog lose nothing: the import continues at its step', async () => {
  const page = await openOffice(site, '/imports');
  const dialog = await chooseFile(page, 'kept.csv', 'email,name\nkept@example.com,Kept\n');
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('AppendImport') ? route.abort() : route.continue(),
  );
  await read(dialog);
  await dialog.getByRole('alert').first().waitFor();
  await page.unroute('**/graphql');
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /kept\.csv/ });
  await row.getByText('The upload was not finished').waitFor();
  await row.getByRole('button', { name: 'Open' }).click();
  await chooseFile(page, 'kept.csv', 'email,name\nkept@example.com,Kept\n');
  await read(dialog);
  await dialog.getByLabel('Column email fills').waitFor();
  await page.keyboard.press('Escape');
  await row.getByText('Not started yet').waitFor();
  await row.getByRole('button', { name: 'Open' }).click();
  await dialog.getByRole('button', { name: 'Show the first rows' }).click();
  await dialog.getByRole('button', { name: 'Start the import' }).click();
  await dialog.getByText('New: 1').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('row', { name: /kept\.csv/ }).count()).toBe(1);
});
