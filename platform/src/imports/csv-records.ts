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

/** How the cells and rows of a CSV file are separated. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly newline: '\n' | '\r';
}

/** The dialect of a file by its first bytes: the delimiter that its first row has most of. */
export function sniffCsv(start: string): CsvDialect {
  const newline = start.includes('\n') || !start.includes('\r') ? '\n' : '\r';
  const end = start.indexOf(newline);
  const header = (end === -1 ? start : start.slice(0, end)).replace(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  const { delimiter } = counted.reduce((best, each) => (each.count > best.count ? each : best));
  return { delimiter, newline };
}

/**
 * Reads CSV (RFC 4180) as a stream; its memory is limited by the longest row allowed. What is not CSV refuses
 * its own row only: an overlong row, text after a closing quote, a quote that is never closed (the next line
 * begins a row again). A quote within an unquoted cell is text. Rows count as in a spreadsheet, empty ones
 * too. csv-parse, which it is tested against, loses the rest of its buffer after an overlong row.
 */
export function csvParser({ delimiter, newline }: CsvDialect): Parser {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let row = 0;
  /** Within an overlong row, of which nothing more is kept. */
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
      // An overlong row, or a quote that is never closed: the row fails, and the next line begins another.
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
  /** Where the next row begins. */
  readonly end: number;
  readonly fault: SourceRecord['fault'];
}

interface Reading extends CsvDialect {
  /** Nothing follows the text. */
  readonly isEnd: boolean;
}

/** The row that begins at `from`; null where the text ends before the row does. */
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

/** U+FFFD is what the decoder makes of bytes that are not UTF-8. */
function checked(cells: readonly string[], line: string, end: number): Row {
  const isClean = !line.includes('\uFFFD');
  if (isClean) return { cells, end, fault: null };
  const column = cells.findIndex((cell) => cell.includes('\uFFFD'));
  return { cells, end, fault: faultAt(column, NOT_UTF8) };
}

/** A row with quotes in it; null where the text ends before the row does. */
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

/** From behind the opening quote; null where the closing one is not there, or may turn out to be doubled. */
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
