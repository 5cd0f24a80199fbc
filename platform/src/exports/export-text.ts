import { csvLine } from './csv-line.ts';
import type { Cell } from './export-definition.ts';

export type ExportFormat = 'CSV' | 'JSON_LINES';

/**
 * Excel reads a file as UTF-8 only if it begins with a byte order mark; other programs and our imports skip
 * it.
 */
const BOM = '\uFEFF';

/** Returns the beginning of a file; JSON has no byte order mark (RFC 8259, section 8.1). */
export const headOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === 'CSV' ? BOM + csvLine(columns) : '';

/** Returns rows as lines of a file. */
export function linesOf(
  format: ExportFormat,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const line = format === 'CSV' ? csvRow : jsonRow(columns);
  return rows.map(line).join('');
}

/** Only text is checked for formulas, so that negative numbers are not prefixed. */
const csvRow = (cells: readonly Cell[]): string =>
  csvLine(
    cells.map((cell) => (typeof cell === 'string' ? cell : textOf(cell))),
    cells.map((cell) => typeof cell === 'number' || typeof cell === 'bigint'),
  );

function textOf(cell: Exclude<Cell, string>): string | null {
  if (cell === null) return null;
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

const jsonRow =
  (columns: readonly string[]) =>
  (cells: readonly Cell[]): string =>
    `${JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, cells[at]])), exact)}\n`;

/** Integers that a double cannot represent exactly are written as text. */
const exact = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
};
