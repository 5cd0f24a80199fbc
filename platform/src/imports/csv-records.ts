import { StringDecoder } from 'node:string_decoder';
import { inputRule } from '../base/input-rules.ts';
import {
  faultAt,
  NOT_UTF8,
  type Parser,
  RECORD_LENGTH_MAX,
  type SourceRecord,
  TOO_LONG,
  unreadable,
} from './records.ts';

const DELIMITERS = [',', ';', '\t'] as const;
const BOM = '\uFEFF';

/** Delimiter and line ends of a CSV file. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly newline: '\n' | '\r';
}

/** Guesses the dialect from the beginning of a file: the most frequent delimiter in the first row. */
export function sniffCsv(start: string): CsvDialect {
  const newline = start.includes('\n') || !start.includes('\r') ? '\n' : '\r';
  const end = start.indexOf(newline);
  const header = (end === -1 ? start : start.slice(0, end)).replace(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  const { delimiter } = counted.reduce((best, each) => (each.count > best.count ? each : best));
  return { delimiter, newline };
}

/**
 * Reads CSV (RFC 4180) as a stream; memory is limited by the longest allowed row. A malformed row refuses
 * only itself: an overlong row, text after a closing quote, a quote that is never closed (the next line
 * begins a new row). A quote within an unquoted cell is text. Rows are numbered as in a spreadsheet,
 * including empty ones. csv-parse, against which this parser is tested, loses the rest of its buffer after an
 * overlong row.
 */
export function csvParser({ delimiter, newline }: CsvDialect): Parser {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let row = 0;
  /** True within an overlong row, whose rest is discarded. */
  let isSkipping = false;
  let isStarted = false;

  function read(text: string, isEnd: boolean): SourceRecord[] {
    const records: SourceRecord[] = [];
    let at = 0;
    for (;;) {
      if (isSkipping) at = skip(text, at);
      while (at < text.length) {
        const step = readRow(text, at, { delimiter, newline, isEnd });
        if (!step) break;
        at = step.end;
        records.push({ row: ++row, cells: step.cells, fault: step.fault });
      }
      const left = text.length - at;
      if (left <= (isEnd ? 0 : RECORD_LENGTH_MAX)) {
        rest = text.slice(at);
        return records;
      }
      // An overlong row, or a quote that is never closed: the row fails, and the next line begins a new row.
      row += 1;
      records.push({ row, cells: [], fault: unreadable(left > RECORD_LENGTH_MAX ? TOO_LONG : QUOTE_OPEN) });
      isSkipping = true;
    }
  }

  function skip(text: string, from: number): number {
    const end = text.indexOf(newline, from);
    if (end === -1) return text.length;
    isSkipping = false;
    return end + 1;
  }

  return {
    push(bytes) {
      let text = decoder.write(bytes);
      if (!isStarted && text.length > 0) {
        isStarted = true;
        if (text.startsWith(BOM)) text = text.slice(1);
      }
      return read(rest + text, false);
    },
    end: () => read(rest + decoder.end(), true),
  };
}

const QUOTE_OPEN = inputRule('QUOTES', 'opens a quote that is never closed');
const TEXT_AFTER_QUOTE = inputRule('QUOTES', 'has text after a closing quote');

interface Row {
  readonly cells: readonly string[];
  /** Position of the next row. */
  readonly end: number;
  readonly fault: SourceRecord['fault'];
}

interface Reading extends CsvDialect {
  /** True if no text follows. */
  readonly isEnd: boolean;
}

/** Reads the row that begins at `from`; null if the text ends within the row. */
function readRow(text: string, from: number, reading: Reading): Row | null {
  const { delimiter, newline, isEnd } = reading;
  const found = text.indexOf(newline, from);
  if (found === -1 && !isEnd) return null;
  const lineEnd = found === -1 ? text.length : found;
  const line = text.slice(from, newline === '\n' && text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd);
  if (line.length > RECORD_LENGTH_MAX) return { cells: [], end: lineEnd + 1, fault: unreadable(TOO_LONG) };
  if (!line.includes('"')) return checked(line.split(delimiter), line, lineEnd + 1);
  return readQuoted(text, from, reading);
}

/** Refuses rows with U+FFFD, which the decoder writes for bytes that are not UTF-8. */
function checked(cells: readonly string[], line: string, end: number): Row {
  const isClean = !line.includes('\uFFFD');
  if (isClean) return { cells, end, fault: null };
  const column = cells.findIndex((cell) => cell.includes('\uFFFD'));
  return { cells, end, fault: faultAt(column, NOT_UTF8) };
}

/** Reads a row with quotes; null if the text ends within the row. */
function readQuoted(text: string, from: number, { delimiter, newline, isEnd }: Reading): Row | null {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    if (text[at] === '"') {
      const quoted = readQuotedCell(text, at + 1, isEnd);
      if (!quoted) return null;
      cells.push(quoted.cell);
      at = quoted.end;
      if (text[at] === '\r' && newline === '\n' && (text[at + 1] === '\n' || at + 1 >= text.length)) at += 1;
      if (at >= text.length && !isEnd) return null;
    } else {
      const stop = endOfCell(text, at, delimiter, newline);
      if (stop === -1 && !isEnd) return null;
      const end = stop === -1 ? text.length : stop;
      const isRowEnd = text[end] !== delimiter && newline === '\n' && text[end - 1] === '\r' && end > at;
      cells.push(text.slice(at, isRowEnd ? end - 1 : end));
      at = end;
    }
    if (at >= text.length || text[at] === newline) return checked(cells, text.slice(from, at), at + 1);
    if (text[at] !== delimiter) {
      const lineEnd = text.indexOf(newline, at);
      if (lineEnd === -1 && !isEnd) return null;
      const end = lineEnd === -1 ? text.length : lineEnd + 1;
      return { cells, end, fault: faultAt(cells.length - 1, TEXT_AFTER_QUOTE) };
    }
    at += 1;
  }
}

function endOfCell(text: string, from: number, delimiter: string, newline: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === delimiter || character === newline) return at;
  }
  return -1;
}

/**
 * Reads a cell after its opening quote; null if the closing quote is missing or may be the first half of a
 * doubled one.
 */
function readQuotedCell(text: string, start: number, isEnd: boolean): { cell: string; end: number } | null {
  let cell = '';
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1 || (quote + 1 === text.length && !isEnd)) return null;
    if (text[quote + 1] !== '"') return { cell: cell + text.slice(from, quote), end: quote + 1 };
    cell += text.slice(from, quote + 1);
    from = quote + 2;
  }
}
