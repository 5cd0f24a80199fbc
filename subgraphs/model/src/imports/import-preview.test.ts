import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import {
  csv,
  eventHeader,
  faultsOf,
  imported,
  importedMembers,
  memberHeader,
  orderHeader,
} from './data-imports.fixture.ts';
import { CONTENT_BYTES_MAX, type DataImportInput } from './data-imports.input.ts';
import { previewDataImport } from './data-imports.service.ts';

const { newContext } = useServices();

/** Returns row, column and code of each issue. */
const orderIn = (line: string) => csv('ORDERS', orderHeader, line);
const eventIn = (line: string) => csv('EVENTS', eventHeader, line);

describe('an order with', () => {
  test.each([
    ['no id', ',m1,2026-02-01,10,EUR,paid', 'external_id', 'REQUIRED'],
    [
      'an id of 201 characters',
      `${'x'.repeat(201)},m1,2026-02-01,10,EUR,paid`,
      'external_id',
      'INVALID_VALUE',
    ],
    ['a tab in its id', 'o\t1,m1,2026-02-01,10,EUR,paid', 'external_id', 'INVALID_VALUE'],
    ['a member whom nobody knows', 'o1,m9,2026-02-01,10,EUR,paid', 'member_id', 'UNKNOWN_MEMBER'],
    ['no time', 'o1,m1,,10,EUR,paid', 'occurred_at', 'REQUIRED'],
    ['a time that is none', 'o1,m1,yesterday,10,EUR,paid', 'occurred_at', 'INVALID_VALUE'],
    ['a day that no month has', 'o1,m1,2026-02-30,10,EUR,paid', 'occurred_at', 'INVALID_VALUE'],
    ['a time two days ahead', 'o1,m1,2026-03-04T11:00:00Z,10,EUR,paid', 'occurred_at', 'INVALID_VALUE'],
    ['a time before 1970', 'o1,m1,1969-12-31,10,EUR,paid', 'occurred_at', 'INVALID_VALUE'],
    ['no amount', 'o1,m1,2026-02-01,,EUR,paid', 'amount', 'REQUIRED'],
    ['a negative amount', 'o1,m1,2026-02-01,-1,EUR,paid', 'amount', 'INVALID_VALUE'],
    ['an amount that is none', 'o1,m1,2026-02-01,ten,EUR,paid', 'amount', 'INVALID_VALUE'],
    ['three decimals of EUR', 'o1,m1,2026-02-01,1.005,EUR,paid', 'amount', 'INVALID_VALUE'],
    ['a decimal of JPY', 'o1,m1,2026-02-01,1.5,JPY,paid', 'amount', 'INVALID_VALUE'],
    ['a currency that is none', 'o1,m1,2026-02-01,1,XYZ,paid', 'currency', 'INVALID_VALUE'],
    ['a status that means nothing', 'o1,m1,2026-02-01,1,EUR,lost', 'status', 'INVALID_VALUE'],
    ['a cell too many', 'o1,m1,2026-02-01,1,EUR,paid,1', null, 'UNREADABLE_ROW'],
  ])('%s is an issue', async (_, line, column, code) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    expect(await faultsOf(ctx, orderIn(line))).toEqual([[2, column, code]]);
  });

  test.each([
    ['zero', '0', 'EUR', 0n],
    ['a decimal less than its currency has', '29.3', 'eur', 2930n],
    ['the decimals of its currency', '29.333', 'KWD', 29_333n],
    ['no decimals', '1200', 'JPY', 1200n],
    ['more than a float holds exactly', '9007199254740.93', 'EUR', 900_719_925_474_093n],
  ])('an amount of %s is exact in minor units', async (_, amount, currency, minor) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    await imported(ctx, orderIn(`o1,m1,2026-02-01,${amount},${currency},paid`));
    expect(await factsIn(ctx, 'order_facts', 'amount_minor')).toEqual([{ amountMinor: minor }]);
  });

  test.each([
    ['Complete', 'COMPLETED'],
    ['fulfilled', 'COMPLETED'],
    ['placed', 'PENDING'],
    ['partially refunded', 'PARTIALLY_REFUNDED'],
    ['canceled', 'CANCELLED'],
  ])('the status %s is %s', async (word, status) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    await imported(ctx, orderIn(`o1,m1,2026-02-01,1,EUR,${word}`));
    expect(await factsIn(ctx, 'order_facts', 'status')).toEqual([{ status }]);
  });
});

const factsIn = (ctx: Context, table: string, columns: string) =>
  ctx.sql.query<Record<string, unknown>>(
    `SELECT ${columns} FROM model.${table} WHERE workspace_id = $1 AND mode = $2::platform."Mode"`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );

describe('columns', () => {
  const line = 'o1,m1,2026-02-01,1,EUR,paid';

  test('are known whatever their case, spaces and punctuation; others are ignored', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const input = csv(
      'ORDERS',
      'Order-ID;customer id;Ordered At;TOTAL;Currency Code;Order Status;Note',
      `${line.replaceAll(',', ';')};hello`,
    );
    expect(await previewDataImport(ctx, input)).toMatchObject({ issueCount: 0, inserted: 1 });
  });

  test('are mapped by name', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const input = csv('ORDERS', 'A,B,C,D,E,F', line);
    const mapping = {
      A: 'external_id',
      B: 'member_id',
      C: 'occurred_at',
      D: 'amount',
      E: 'currency',
      F: 'status',
    };
    expect(await previewDataImport(ctx, { ...input, mapping })).toMatchObject({ issueCount: 0, inserted: 1 });
    const wrong = { ...input, content: input.content.replace('EUR', '?'), mapping };
    expect(await faultsOf(ctx, wrong)).toEqual([[2, 'E', 'INVALID_VALUE']]);
  });

  test('that are missing, or two for one field, or mapped and not there, are issues of the header', async () => {
    const ctx = newContext();
    const input = csv('ORDERS', orderHeader.replace('status', 'Total'), line);
    expect(await faultsOf(ctx, { ...input, mapping: { Sum: 'amount' } })).toEqual([
      [1, 'Total', 'DUPLICATE_COLUMN'],
      [1, 'status', 'REQUIRED'],
      [1, 'Sum', 'UNKNOWN_COLUMN'],
    ]);
  });

  test.each([
    [{ A: 'nothing' }, 'must map to'],
    [{ A: 1 }, 'must map to'],
    [{ A: 'amount', B: 'amount' }, 'maps two columns to amount'],
  ])('mapped by %j are refused', async (mapping, words) => {
    const failing = previewDataImport(newContext(), { ...csv('ORDERS', orderHeader, line), mapping });
    await expect(failing).rejects.toMatchObject({
      category: 'BAD_USER_INPUT',
      message: expect.stringContaining(words),
    });
  });
});

describe('JSON', () => {
  const row = { external_id: 'e1', member_id: 'm1', type: 'pv', occurred_at: '2026-02-01', value: 2.5 };
  const json = (content: string): DataImportInput => ({
    kind: 'EVENTS',
    format: 'JSON',
    content,
    mapping: {},
  });

  test.each([
    ['an array', JSON.stringify([row, { ...row, external_id: 'e2' }], null, 2)],
    ['one object a line', `${JSON.stringify(row)}\n${JSON.stringify({ ...row, external_id: 'e2' })}\n`],
  ])('as %s is read', async (_, content) => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    expect(await previewDataImport(ctx, json(content))).toMatchObject({ issueCount: 0, inserted: 2 });
  });

  test('counts items from 1 and names fields', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const items = [row, { ...row, external_id: 'e2', type: undefined }, 7];
    expect(await faultsOf(ctx, json(JSON.stringify(items)))).toEqual([
      [2, 'type', 'REQUIRED'],
      [3, null, 'UNREADABLE_ROW'],
    ]);
    expect(await faultsOf(ctx, json('[{"external_id"'))).toEqual([[1, null, 'UNREADABLE_ROW']]);
  });
});

describe('a preview', () => {
  test('counts the same row again as skipped, and other data under its id is a conflict', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    await imported(ctx, eventIn('e1,m1,pv,2026-02-01,,'));
    const lines = ['e1,m1,view,2026-02-01,,', 'e1,m1,pv,2026-02-02,,', 'e2,m1,pv,2026-02-01,,'];
    const again = ['e2,m1,pv,2026-02-01T00:00:00Z,,', 'e2,m1,buy,2026-02-01,,'];
    const preview = await previewDataImport(ctx, csv('EVENTS', eventHeader, ...lines, ...again));
    expect(preview).toMatchObject({
      inserted: 1,
      skipped: 2,
      cost: 1,
      issues: [
        { row: 3, column: 'external_id', code: 'ID_CONFLICT' },
        { row: 6, column: 'external_id', code: 'ID_CONFLICT' },
      ],
    });
  });

  test('costs nothing and writes no facts; only events would cost', async () => {
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const events = await previewDataImport(ctx, eventIn('e1,m1,pv,2026-02-01,,'));
    const orders = await previewDataImport(ctx, orderIn('o1,m1,2026-02-01,1,EUR,paid'));
    expect([events.cost, orders.cost, orders.inserted]).toEqual([1, 0, 1]);
    expect(await factsIn(ctx, 'fact_ids', 'external_id')).toEqual([]);
    const { data } = await ask(model, ctx, '{ wallet { balance } }');
    expect(data.wallet.balance).toBe(50_000);
  });

  test('lists the first 1,000 issues, in the order of the file, and counts all', async () => {
    const lines = Array.from({ length: 1_500 }, (_, at) => `e${at},m1,,2026-02-01,,`);
    const ctx = newContext();
    await importedMembers(ctx, 1);
    const preview = await previewDataImport(ctx, csv('EVENTS', eventHeader, ...lines));
    expect([preview.issueCount, preview.issues.length, preview.issues.at(-1)?.row]).toEqual([
      1_500, 1_000, 1_001,
    ]);
  });

  test('of a file of a header alone has an issue', async () => {
    expect(await faultsOf(newContext(), csv('EVENTS', eventHeader))).toEqual([[1, null, 'NO_ROWS']]);
  });

  test('of 5 MiB is read, of a byte more is refused as too large', async () => {
    const ctx = newContext();
    const start = `${eventHeader}\n`;
    const content = start + 'é'.repeat((CONTENT_BYTES_MAX - start.length) / 2);
    const bytes = Buffer.byteLength(content);
    const full = content + 'x'.repeat(CONTENT_BYTES_MAX - bytes);
    const input = csv('EVENTS', full);
    expect((await previewDataImport(ctx, input)).issueCount).toBeGreaterThan(0);
    await expect(previewDataImport(ctx, { ...input, content: `${full}x` })).rejects.toMatchObject({
      category: 'PAYLOAD_TOO_LARGE',
      code: 'UPLOAD_TOO_LARGE',
    });
  });

  test('of nothing is refused', async () => {
    await expect(previewDataImport(newContext(), csv('EVENTS', ' '))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  test('of more than 20,000 members is refused as too large', async () => {
    const lines = Array.from({ length: 20_001 }, (_, at) => `m${at},,2026-01-01,`);
    const failing = previewDataImport(newContext(), csv('MEMBERS', memberHeader, ...lines));
    await expect(failing).rejects.toMatchObject({ code: 'UPLOAD_TOO_LARGE' });
  });
});
