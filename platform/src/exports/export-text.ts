import { csvLine } from './csv-line.ts';
import type { Cell } from './export-definition.ts';

export type ExportFormat = 'CSV' | 'JSON_LINES';

/** Excel reads UTF-8 as such only where a file begins with it; other programs and our imports skip it. */
const BOM = '\uFEFF';

/** What a file begins with; JSON has no byte order mark (RFC 8259, section 8.1). */
export const headOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === 'CSV' ? BOM + csvLine(columns) : '';

/** Rows as lines of a file. */
export function linesOf(
  format: ExportFormat,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const line = format === 'CSV' ? csvRow : jsonRow(columns);
  return rows.map(line).join('');
}

/** Only texts can be formulas: a negative number stays one. */
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

/** Whole numbers that a double cannot hold are texts. */
const exact = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
};
