export type CsvCell = string | number;

/**
 * Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in
 * front. Signed numbers, such as phone numbers, do not.
 */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const isFormula = /^[=+\-@\t\r]/.test(cell) && !/^[+-][\d .()]+$/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Saves a text as a file of the browser. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * Returns the head and the visible rows of a table for a CSV file: times in ISO 8601, numbers as numbers,
 * unknown values empty. Columns of checkboxes and buttons are left out.
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

/** Yields the visible text of an element, or the label of a picture. Inputs and buttons yield nothing. */
function* wordsOf(node: Node): Generator<string> {
  if (node instanceof Text) yield node.data;
  if (!(node instanceof HTMLElement)) return;
  if (node.matches('[data-none], button, input, [aria-hidden="true"]')) return;
  if (node instanceof HTMLTimeElement) yield node.dateTime;
  else if (node instanceof HTMLSelectElement) yield node.selectedOptions[0]?.text ?? '';
  else if (node.matches('[role="img"]')) yield node.ariaLabel ?? '';
  else for (const child of node.childNodes) yield* wordsOf(child);
}
