import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { newId } from '../base/ids.ts';
import type { ImportDefinition } from './import-definition.ts';
import { appendImport } from './import-files.service.ts';
import { PART_BYTES_MAX, PARTS_MAX } from './import-limits.ts';
import { previewRows } from './import-preview.ts';
import { type Import, insertImport } from './imports.store.ts';

const { services, ctx } = useServices();

const opened = (): Promise<Import> =>
  insertImport(ctx, newId(services.clock), {
    kind: 'MEMBERS',
    format: 'CSV',
    mapping: {},
    onDuplicate: 'SKIP',
    parts: null,
    fileName: null,
  });

/** Returns the code of the refusal; null if the work succeeds. */
const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    ({ code }) => code,
  );

test.each([
  ['before the first', -1, 1, 'VALIDATION_FAILED'],
  ['the first', 0, 1, null],
  ['the last', PARTS_MAX - 1, 1, null],
  ['after the last', PARTS_MAX, 1, 'FILE_TOO_LARGE'],
  ['of no bytes', 0, 0, 'VALIDATION_FAILED'],
  ['as large as a part may be', 0, PART_BYTES_MAX, null],
  ['larger by a byte', 0, PART_BYTES_MAX + 1, 'VALIDATION_FAILED'],
])('a part of a file, %s', async (_, part, bytes, code) => {
  const data = Buffer.alloc(bytes, 'x').toString('base64');
  expect(await refusalOf(appendImport(ctx, await opened(), part, data))).toBe(code);
});

test('a preview shows up to 100 rows', async () => {
  const job = await opened();
  const definition = { fields: {} } as ImportDefinition;
  const refusals = [100, 101].map((rows) => refusalOf(previewRows(ctx, definition, job, rows)));
  expect(await Promise.all(refusals)).toEqual(['IMPORT_PART_MISSING', 'VALIDATION_FAILED']);
});
