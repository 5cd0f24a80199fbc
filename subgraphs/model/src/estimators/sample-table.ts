import { csvParser, sniffCsv } from '@loyalty/platform/imports/csv-records';
import type { SampleIssue } from './training-request.ts';

/** Cells of an uploaded CSV file by column. */
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

/** The most issues in a list: with more, the generator of the file needs repair, not single cells. */
const ISSUES_MAX = 100;
/** Bytes that are read to detect the separator. */
const SNIFFED = 4_096;

/** Collects the issues of a file, at most 100. */
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

/** Parses CSV with a header; spaces around cells are removed. Invalid CSV becomes an issue of its row. */
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

/** Normalises a text: without a byte order mark, with one kind of line ends. */
export const samePlainText = (content: string): string =>
  content
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .trimEnd();

/** Writes rows of cells as CSV with a header; only cells that need quotes get them. */
export const writeSampleTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map(csvLine).join('');

/** Writes cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date (midnight in UTC) or of an instant with a zone;
 * null if the text is neither or names a day that does not exist.
 */
export function readInstant(text: string): number | null {
  const [, day, time, zone] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  const instant = time === undefined ? midnight : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(instant) ? null : instant;
}
