import type { CsvCell } from '../plots/csv.ts';

/**
 * The head and the rows of a table as they are shown, for a file: times as ISO 8601, numbers as numbers, and
 * what is not known empty. Columns of checkboxes and buttons are left out.
 */
export function shownCells(table: HTMLTableElement): CsvCell[][] {
  return [...table.rows].map((row) =>
    [...row.cells].filter((cell) => !cell.hasAttribute('data-acts')).map(cellOf),
  );
}

function cellOf(cell: HTMLTableCellElement): CsvCell {
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
