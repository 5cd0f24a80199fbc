import { csvOf } from '../../plots/csv.ts';
import type { ImportFaultyRowsQuery, ImportProblemFragment } from './generated/imports.ts';

type Page = ImportFaultyRowsQuery['importFaultyRows'];
type TextOf = (problem: ImportProblemFragment) => string;

/** A file that a browser saves. */
interface FileOfRows {
  readonly name: string;
  readonly text: string;
}

/**
 * The rows that an import refused as a file of its own format, each with why it was refused: corrected, it
 * can be imported again.
 *
 * @param fileName - of the file that was imported; null where nobody said
 */
export function fileOfRows(pages: readonly Page[], fileName: string | null, textOf: TextOf): FileOfRows {
  const header = pages[0]?.header ?? [];
  const rows = pages.flatMap((page) => page.rows);
  const name = (fileName ?? 'import').replace(/\.\w+$/, '');
  const errorOf = ({ issues }: Page['rows'][number]): string => issues.map(textOf).join(' ');
  if (header.length === 0) {
    const lines = rows.map((row) => `${JSON.stringify({ ...row.object, error: errorOf(row) })}\n`);
    return { name: `${name}-errors.ndjson`, text: lines.join('') };
  }
  const cells = rows.map((row) => [...header.map((_, at) => row.cells[at] ?? ''), errorOf(row)]);
  return { name: `${name}-errors.csv`, text: csvOf([[...header, 'error'], ...cells]) };
}
