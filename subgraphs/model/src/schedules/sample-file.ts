import { csvLine, readInstant, readSampleTable, writeSampleTable } from '../estimators/sample-table.ts';
import type { SampleIssue } from '../estimators/training-request.ts';

/** A sample as a line of a file with the columns of the base. */
export interface AppendedSample {
  readonly sampleId: string;
  readonly asOf: Date;
  readonly cells: readonly string[];
}

/** The samples of the base. */
export interface BaseSamples {
  readonly header: readonly string[];
  readonly samples: readonly AppendedSample[];
}

/** @param content - CSV that was checked at its upload */
export function readBase(content: string): BaseSamples {
  const { header, rows } = readSampleTable(content);
  return { header, samples: rows.map(({ cells }) => sampleOf(header, cells)) };
}

function sampleOf(header: readonly string[], cells: readonly string[]): AppendedSample {
  const cell = (column: string) => cells[header.indexOf(column)] ?? '';
  return { sampleId: cell('sample_id'), asOf: new Date(readInstant(cell('as_of')) ?? Number.NaN), cells };
}

/** New samples of a file, the number of known ones, and the issues of the others. */
export interface ReadAppended {
  readonly samples: readonly (AppendedSample & { readonly row: number })[];
  readonly skipped: number;
  readonly issues: readonly SampleIssue[];
}

/**
 * Parses a file of samples to append. Its columns are those of the base, in any order; identical known
 * samples are skipped.
 *
 * @param known - cells of the known samples, by their ids
 */
export function readAppended(
  content: string,
  header: readonly string[],
  known: ReadonlyMap<string, readonly string[]>,
): ReadAppended {
  const { header: own, rows, issues: unreadable } = readSampleTable(content);
  const issues: SampleIssue[] = [...unreadable, ...headerIssues(own, header)];
  if (issues.length > 0) return { samples: [], skipped: 0, issues };
  const places = header.map((column) => own.indexOf(column));
  const samples: (AppendedSample & { row: number })[] = [];
  let skipped = 0;
  for (const { row, cells } of rows) {
    const sample = sampleOf(
      header,
      places.map((place) => cells[place]!),
    );
    const before = known.get(sample.sampleId);
    if (!before) samples.push({ ...sample, row });
    else if (JSON.stringify(before) === JSON.stringify(sample.cells)) skipped += 1;
    else issues.push({ row, column: 'sample_id', message: 'is known with other values' });
  }
  return { samples, skipped, issues };
}

const headerIssues = (own: readonly string[], header: readonly string[]): SampleIssue[] => [
  ...header
    .filter((column) => !own.includes(column))
    .map((column) => ({ row: 0, column, message: 'is missing: the base has it' })),
  ...own
    .filter((column, place) => !header.includes(column) || own.indexOf(column) < place)
    .map((column) => ({ row: 0, column, message: 'must be a column of the base, once' })),
];

/** Returns CSV with a header. */
export const samplesCsv = (header: readonly string[], samples: readonly AppendedSample[]): string =>
  writeSampleTable(
    header,
    samples.map(({ cells }) => cells),
  );

/** Returns the newest samples whose CSV has at most this many bytes, in the order of their arrival. */
export function newestThatFit(
  header: readonly string[],
  samples: readonly AppendedSample[],
  bytesMax: number,
): readonly AppendedSample[] {
  let left = bytesMax - Buffer.byteLength(csvLine(header));
  const newest = samples
    .map((sample, place) => ({ sample, place }))
    .toSorted((one, other) => other.sample.asOf.getTime() - one.sample.asOf.getTime());
  const kept: typeof newest = [];
  for (const each of newest) {
    left -= Buffer.byteLength(csvLine(each.sample.cells));
    if (left < 0) break;
    kept.push(each);
  }
  return kept.toSorted((one, other) => one.place - other.place).map(({ sample }) => sample);
}
