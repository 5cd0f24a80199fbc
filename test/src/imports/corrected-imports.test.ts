import { describe, expect, test } from '@jest/globals';
import { defineCustomField } from '@loyalty/loyalty-subgraph/fields/custom-fields.service';
import { importKinds } from '@loyalty/loyalty-subgraph/imports/import-kinds';
import {
  appendImport,
  cancelImport,
  createImport,
  getImport,
  importFaultyRows,
  importFields,
  previewImport,
  remapImport,
  retryImport,
  startImport,
} from '@loyalty/loyalty-subgraph/imports/imports.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import type { Context } from '@loyalty/platform/context';
import { listIssues } from '@loyalty/platform/imports/imports.service';
import { useServices } from '../harness/services.ts';
import { imported, queuedImport, runQueued } from './import-files.fixture.ts';

const { newContext } = useServices();

const uploaded = async (ctx: Context, file: string, about: { readonly fileName?: string } = {}) => {
  const { id } = await createImport(ctx, 'MEMBERS', { format: 'CSV', parts: 1, ...about });
  await appendImport(ctx, id, 0, Buffer.from(file).toString('base64'));
  return id;
};

/** The code, field and message of the error, as clients see them. */
const refused = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, message, details }) => ({ code, field: details.field, message }),
  );

const FILE = 'Correo,Nombre,Level\nada@example.com,Ada,1\nbad,Bo,2\n';

describe('a file with wrong headers', () => {
  test('is previewed with examples and suggestions, and mapped before it is started', async () => {
    const ctx = newContext();
    const id = await uploaded(ctx, FILE);
    const before = await previewImport(ctx, id, 20);
    expect(before.columns).toEqual([
      {
        column: 'A',
        header: 'Correo',
        field: null,
        suggestion: 'email',
        examples: ['ada@example.com', 'bad'],
      },
      { column: 'B', header: 'Nombre', field: null, suggestion: 'full_name', examples: ['Ada', 'Bo'] },
      { column: 'C', header: 'Level', field: null, suggestion: null, examples: ['1', '2'] },
    ]);
    expect(before.issues).toContainEqual(
      expect.objectContaining({ code: 'REQUIRED', rule: 'COLUMN_MISSING', field: 'email' }),
    );
    await remapImport(ctx, id, { Correo: 'email', Nombre: 'name' });
    const after = await previewImport(ctx, id, 20);
    expect(after.columns.map(({ field }) => field)).toEqual(['email', 'full_name', null]);
    expect(after.rows.map(({ isRefused }) => isRefused)).toEqual([false, true]);
    await startImport(ctx, id, 1);
    expect(await runQueued(ctx, 'MEMBERS', id)).toMatchObject({ inserted: 1, failed: 1 });
  });

  test('null leaves out a column that has the name of a field', async () => {
    const ctx = newContext();
    const id = await uploaded(ctx, 'email,work\nold@example.com,new@example.com\n');
    await remapImport(ctx, id, { email: null, work: 'email' });
    await startImport(ctx, id, 1);
    expect(await runQueued(ctx, 'MEMBERS', id)).toMatchObject({ status: 'COMPLETED', inserted: 1 });
    const member = await ctx.sql.query('SELECT 1 FROM loyalty.members WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(member).toHaveLength(1);
  });

  test.each([
    ['an unknown field', { Correo: 'nonsense' }, 'mapping must map to'],
    ['an unknown column', { Correo: 'email', Other: 'phone' }, 'mapping names the column Other'],
    ['an unknown column to leave out', { Correo: 'email', Other: null }, 'mapping names the column Other'],
    ['two columns for one field', { Correo: 'email', Nombre: 'e_mail' }, 'mapping maps two columns to email'],
  ])('is not mapped with %s', async (_, mapping, message) => {
    const ctx = newContext();
    const id = await uploaded(ctx, FILE);
    expect(await refused(remapImport(ctx, id, mapping))).toEqual({
      code: 'VALIDATION_FAILED',
      field: 'mapping',
      message: expect.stringContaining(message),
    });
    expect((await getImport(ctx, id)).mapping).toEqual({});
  });

  test('is not mapped to a field that another column fills by its name', async () => {
    const ctx = newContext();
    const id = await uploaded(ctx, 'email,work\na@example.com,b@example.com\n');
    expect(await refused(remapImport(ctx, id, { work: 'email' }))).toMatchObject({
      field: 'mapping',
      message: 'mapping leaves two columns for email; a field takes one column.',
    });
  });

  test('is not mapped before its first part, after its start, or by another workspace', async () => {
    const ctx = newContext();
    const { id: empty } = await createImport(ctx, 'MEMBERS', { format: 'CSV' });
    expect(await refused(remapImport(ctx, empty, {}))).toMatchObject({ code: 'IMPORT_PART_MISSING' });
    const id = await uploaded(ctx, FILE);
    const stranger = newContext();
    for (const work of [
      remapImport(stranger, id, {}),
      importFaultyRows(stranger, id, {}),
      retryImport(stranger, id),
    ])
      expect(await refused(work)).toMatchObject({ code: 'IMPORT_NOT_FOUND' });
    await startImport(ctx, id, 1);
    expect(await refused(remapImport(ctx, id, {}))).toMatchObject({ code: 'IMPORT_STARTED' });
    await cancelImport(ctx, id);
    expect(await refused(remapImport(ctx, id, {}))).toMatchObject({ code: 'IMPORT_FINISHED' });
  });

  test('that is mapped and started at once is read with the mapping that was stored before the start', async () => {
    const ctx = newContext();
    const id = await uploaded(ctx, 'email,work\na@example.com,b@example.com\n');
    const mapping = { email: null, work: 'email' };
    const [remapped] = await Promise.all([refused(remapImport(ctx, id, mapping)), startImport(ctx, id, 1)]);
    const { mapping: kept } = await getImport(ctx, id);
    if (remapped) expect([remapped.code, kept]).toEqual(['IMPORT_STARTED', {}]);
    else expect(kept).toEqual(mapping);
  });
});

test('fields are those of the definitions, with custom ones of the workspace', async () => {
  const ctx = newContext();
  await defineCustomField(ctx, { key: 'shirt_size', label: 'Shirt', type: 'ENUM', options: ['S', 'M'] });
  const fields = await importFields(ctx, 'MEMBERS');
  expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['email']);
  expect(fields.at(-1)).toMatchObject({ name: 'custom.shirt_size', label: 'Shirt', example: 'S' });
  for (const kind of ['ORDERS', 'CATALOG'] as const)
    expect((await importFields(ctx, kind)).map(({ name }) => name)).toEqual(
      importKinds[kind].fields.fields.map(({ name }) => name),
    );
});

test.each([
  ['members.csv', 'members.csv'],
  ['C:\\secret\\members.csv', 'members.csv'],
  ['../../etc/ members.csv ', 'members.csv'],
  ['../', null],
])('a file called %s is kept as %s', async (fileName, kept) => {
  const ctx = newContext();
  expect(await getImport(ctx, await uploaded(ctx, FILE, { fileName }))).toMatchObject({ fileName: kept });
});

test.each(['x'.repeat(256), 'a\u0007.csv'])('the file name %j is refused', async (fileName) => {
  expect(await refused(uploaded(newContext(), FILE, { fileName }))).toMatchObject({ field: 'fileName' });
});

const order = (id: string, email: string) => `${id},2026-02-01T10:00:00Z,EUR,5,${email}`;
const HEADER = 'external_order_id,occurred_at,currency,total,member_email';
const ordersFile = (rows: readonly string[]) => `${HEADER}\n${rows.join('\n')}\n`;

describe('rows that failed', () => {
  const MANY = 2_345;

  test('are kept as the file has them, all of them and only until retention ends', async () => {
    const ctx = newContext();
    const bad = Array.from({ length: MANY }, (_, at) => `B-${at},never,EUR,x,`);
    const rows = bad.flatMap((row, at) => [row, order(`G-${at}`, '')]);
    const job = await imported(ctx, 'ORDERS', ordersFile(rows));
    expect(job).toMatchObject({ failed: MANY, inserted: MANY });
    const found = [];
    let afterRow = 0;
    for (;;) {
      const page = await importFaultyRows(ctx, job.id, { first: 200, afterRow });
      if (page.rows.length === 0) break;
      expect(page.header).toEqual(HEADER.split(','));
      found.push(...page.rows);
      afterRow = page.rows.at(-1)!.row;
    }
    expect(found.map(({ cells }) => cells.join())).toEqual(bad);
    expect(found.map(({ row }) => row)).toEqual(bad.map((_, at) => 2 + 2 * at));
    const rules = found.map(({ issues }) => issues.map(({ field, rule }) => `${field} ${rule}`).join());
    expect(new Set(rules)).toEqual(new Set(['total MINOR_UNITS,occurred_at INSTANT']));
  });

  test('are sealed in the database', async () => {
    const ctx = newContext();
    const { id } = await imported(ctx, 'ORDERS', ordersFile([order('A-1', 'secret@example.com')]));
    const stored = await ctx.sql.query<{ sealed: Uint8Array }>(
      'SELECT sealed FROM platform.import_faulty_rows WHERE import_id = $1',
      [id],
    );
    expect(stored).toHaveLength(2);
    for (const { sealed } of stored) expect(Buffer.from(sealed).toString('latin1')).not.toContain('secret');
  });

  test('of JSON are objects', async () => {
    const ctx = newContext();
    const { id } = await imported(ctx, 'MEMBERS', [{ email: 'bad', name: 'Bo' }, { email: 'a@example.com' }]);
    expect(await importFaultyRows(ctx, id, {})).toMatchObject({
      header: [],
      rows: [
        { row: 1, cells: [], object: { email: 'bad', name: 'Bo' }, issues: [{ rule: 'EMAIL_ADDRESS' }] },
      ],
    });
  });

  test('are processed again by a retry: what is right now is imported once, the others stay', async () => {
    const ctx = newContext();
    const rows = ['ada', 'bo', 'cy'].map((name, at) => order(`A-${at}`, `${name}@example.com`));
    const job = await imported(ctx, 'ORDERS', ordersFile([...rows, order('G-1', '')]));
    expect(job).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', total: 4, inserted: 1, failed: 3 });
    await given.member(ctx, { email: 'ada@example.com' });
    await given.member(ctx, { email: 'cy@example.com' });
    const [first, second] = await Promise.all(
      [retryImport(ctx, job.id), refused(retryImport(ctx, job.id))].map((work) =>
        work.catch(({ code }) => ({ code })),
      ),
    );
    expect([first, second]).toContainEqual(expect.objectContaining({ code: 'IMPORT_NOT_RETRYABLE' }));
    expect(await getImport(ctx, job.id)).toMatchObject({ status: 'QUEUED', processed: 1, failed: 0 });
    const after = await runQueued(ctx, 'ORDERS', job.id);
    const counts = { total: 4, processed: 4, inserted: 3, updated: 0, skipped: 0, failed: 1 };
    expect(after).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', ...counts });
    const left = await importFaultyRows(ctx, job.id, {});
    expect(left.rows.map(({ row }) => row)).toEqual([3]);
    expect((await listIssues(ctx, job.id, {})).map(({ row, rule }) => [row, rule])).toEqual([
      [3, 'UNKNOWN_MEMBER'],
    ]);
    await given.member(ctx, { email: 'bo@example.com' });
    await retryImport(ctx, job.id);
    expect(await runQueued(ctx, 'ORDERS', job.id)).toMatchObject({
      status: 'COMPLETED',
      inserted: 4,
      failed: 0,
    });
    expect((await importFaultyRows(ctx, job.id, {})).rows).toEqual([]);
    expect(await refused(retryImport(ctx, job.id))).toMatchObject({ code: 'IMPORT_NOT_RETRYABLE' });
  });

  test('a retry that is fenced in the middle goes on, and writes no row twice', async () => {
    const ctx = newContext();
    const count = 2_500;
    const rows = Array.from({ length: count }, (_, at) => order(`A-${at}`, 'ada@example.com'));
    const job = await imported(ctx, 'ORDERS', ordersFile(rows));
    expect(job).toMatchObject({ failed: count });
    await given.member(ctx, { email: 'ada@example.com' });
    await retryImport(ctx, job.id);
    await Promise.all([runQueued(ctx, 'ORDERS', job.id), runQueued(ctx, 'ORDERS', job.id)]);
    const ended = await getImport(ctx, job.id);
    expect(ended).toMatchObject({
      status: 'COMPLETED',
      processed: count,
      inserted: count,
      updated: 0,
      failed: 0,
    });
  });

  test('an import that was stopped continues after the last row that was written', async () => {
    const ctx = newContext();
    const id = await queuedImport(ctx, 'MEMBERS', 'email\na@example.com\nb@example.com\n');
    await cancelImport(ctx, id);
    await retryImport(ctx, id);
    expect(await runQueued(ctx, 'MEMBERS', id)).toMatchObject({ status: 'COMPLETED', inserted: 2 });
  });

  test('a file that was thrown away before its start cannot be retried', async () => {
    const ctx = newContext();
    const id = await uploaded(ctx, FILE);
    await cancelImport(ctx, id);
    expect(await refused(retryImport(ctx, id))).toMatchObject({ code: 'IMPORT_NOT_RETRYABLE' });
  });
});
