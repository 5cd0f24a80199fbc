import { csvParser, sniffCsv } from '@loyalty/platform/imports/records/csv-records';
import type { SampleIssue } from './training-request.ts';

/** Cells of an uploaded CSV file by their columns. */
export interface SampleTable {
  readonly header: readonly string[];
  /** Rows that are not empty and have a cell for each column. */
  readonly rows: readonly SampleRow[];
}

export interface SampleRow {
  /** 1 is the first row below the header; empty rows count. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** More are not listed: whoever reads them repairs the file's maker, not single cells. */
const ISSUES_MAX = 100;
/** Bytes read to find out what separates cells. */
const SNIFFED = 4_096;

/** Collects what is wrong with a file, up to 100 issues. */
export function issueList(): {
  issues: SampleIssue[];
  add: (row: number, column: string, message: string) => void;
} {
  const issues: SampleIssue[] = [];
  return {
    issues,
    add: (row, column, message) => {
      if (issues.length < ISSUES_MAX) issues.push({ row, column, message });
    },
  };
}

/** Reads CSV with a header; cells lose spaces around them. What is no CSV becomes an issue of its row. */
export function readSampleTable(content: string): SampleTable & { readonly issues: SampleIssue[] } {
  const { issues, add } = issueList();
  const parser = csvParser(sniffCsv(content.slice(0, SNIFFED)));
  const records = [...parser.push(Buffer.from(content, 'utf8')), ...parser.end()];
  const filled = records.filter(({ cells = [], fault }) => fault || cells.some((cell) => cell.trim() !== ''));
  const [first, ...rest] = filled;
  if (!first) {
    add(0, '', 'the file is empty: it needs a header and rows');
    return { header: [], rows: [], issues };
  }
  const header = (first.cells ?? []).map((cell) => cell.trim());
  if (first.fault) add(0, header[first.fault.column ?? 0] ?? '', first.fault.message);
  const rows = rest.flatMap(({ row: line, cells = [], fault }) => {
    const row = line - first.row;
    if (fault) add(row, header[fault.column ?? 0] ?? '', fault.message);
    else if (cells.length !== header.length)
      add(row, '', `has ${cells.length} cells, the header has ${header.length}`);
    else return [{ row, cells: cells.map((cell) => cell.trim()) }];
    return [];
  });
  return { header, rows, issues };
}

/** Text that is the same for the same rows: without a byte order mark, with one kind of line ends. */
export const samePlainText = (content: string): string =>
  content
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .trimEnd();

/** Rows of cells as CSV with a header; only cells that need quotes have them. */
export const writeSampleTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map(csvLine).join('');

/** Cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date (midnight in UTC) or of an instant with a zone; null where the
 * text is neither or names a day that the calendar does not have.
 */
export function readInstant(text: string): number | null {
  const [, day, time, zone] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  const instant = time === undefined ? midnight : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(instant) ? null : instant;
}
