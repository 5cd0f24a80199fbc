import { expect, test } from '@jest/globals';
import { fileOfRows } from './faulty-rows.ts';

const issue = { row: 2, column: null, field: 'email', reason: 'REQUIRED', rule: 'REQUIRED', values: null };
const textOf = ({ field }: { readonly field?: string | null }) => `${field} is wrong`;
const page = (header: string[], cells: string[], object: Record<string, unknown> | null = null) => ({
  header,
  rows: [{ row: 2, cells, object, issues: [{ ...issue, reason: 'REQUIRED' as const }] }],
});

test('rows of a CSV file keep their columns, phones as they were, and get their error', () => {
  const header = ['mail', 'phone'];
  const pages = [page(header, ['=1', '+55 11 9']), page(header, ['only one'])];
  expect(fileOfRows(pages, 'members.2026.csv', textOf)).toEqual({
    name: 'members.2026-errors.csv',
    text: "mail,phone,error\r\n'=1,+55 11 9,email is wrong\r\nonly one,,email is wrong\r\n",
  });
});

test('rows of JSON stay JSON', () => {
  expect(fileOfRows([page([], [], { mail: 'x' })], null, textOf)).toEqual({
    name: 'import-errors.ndjson',
    text: '{"mail":"x","error":"email is wrong"}\n',
  });
});
