import { csvOf } from '../../plots/csv.ts';
import type { ImportFaultyRowsQuery, ImportProblemFragment } from './generated/imports.ts';

type Page = ImportFaultyRowsQuery['importFaultyRows'];
type TextOf = (problem: ImportProblemFragment) => string;

/** A file to be saved. */
interface FileOfRows {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the refused rows of an import as a file in the format of the import, each with its reason. The
 * corrected file can be imported again.
 *
 * @param fileName - name of the imported file; null if it is unknown
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
