export type CsvCell = string | number;

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula is led by an apostrophe; a
 * number with a sign, such as that of a phone, is none.
 */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const isFormula = /^[=+\-@\t\r]/.test(cell) && !/^[+-][\d .()]+$/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lets the browser save a text as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * The head and the rows of a table as they are shown, for a file: times as ISO 8601, numbers as numbers, and
 * what is not known empty. Columns of checkboxes and buttons are left out.
 */
export function shownCells(table: HTMLTableElement): CsvCell[][] {
  return [...table.rows].map((row) =>
    [...row.cells].filter((cell) => !cell.hasAttribute('data-acts')).map(shownCell),
  );
}

function shownCell(cell: HTMLTableCellElement): CsvCell {
  if (cell.tagName === 'TH') return cell.textContent.trim();
  const { value } = cell.dataset;
  if (value === undefined) return textOf(cell);
  return cell.hasAttribute('data-number') && value !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

const textOf = (node: Node): string => [...wordsOf(node)].join(' ').replaceAll(/\s+/g, ' ').trim();

/** What somebody reads of an element, or hears of a picture; inputs and buttons say nothing. */
function* wordsOf(node: Node): Generator<string> {
  if (node instanceof Text) yield node.data;
  if (!(node instanceof HTMLElement)) return;
  if (node.matches('[data-none], button, input, [aria-hidden="true"]')) return;
  if (node instanceof HTMLTimeElement) yield node.dateTime;
  else if (node instanceof HTMLSelectElement) yield node.selectedOptions[0]?.text ?? '';
  else if (node.matches('[role="img"]')) yield node.ariaLabel ?? '';
  else for (const child of node.childNodes) yield* wordsOf(child);
}
