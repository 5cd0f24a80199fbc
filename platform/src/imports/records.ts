import { type InputRule, inputRule } from '../base/input-rules.ts';

/** Maximum characters of one row. */
export const RECORD_LENGTH_MAX = 1024 * 1024;
export const TOO_LONG = inputRule('ROW_TOO_LONG', 'is longer than 1 MiB');
export const NOT_UTF8 = inputRule('ENCODING', 'holds bytes that are not UTF-8');

/** The reason for which a row or a cell cannot be read. */
export interface RowFault {
  /** Index of the column; null for the whole row. */
  readonly column: number | null;
  /** Completes the sentence that names the row or cell. */
  readonly message: string;
  /** The same reason for programs. */
  readonly rule?: InputRule;
}

export const faultAt = (column: number | null, rule: InputRule): RowFault => ({
  column,
  message: rule.text,
  rule,
});

export const unreadable = (rule: InputRule): RowFault => faultAt(null, rule);

/** One row as in the file. */
export interface SourceRecord {
  /** Row number from 1, as in a spreadsheet. */
  readonly row: number;
  /** Text of the cells of a CSV file. */
  readonly cells?: readonly string[];
  /** Fields of a JSON row; null for a blank line and for a row that cannot be read. */
  readonly object?: Readonly<Record<string, unknown>> | null;
  readonly fault: RowFault | null;
}

/** Parses bytes into rows as they arrive. */
export interface Parser {
  /** Returns the rows that these bytes complete. */
  push(bytes: Buffer): SourceRecord[];
  /** Returns the last row of the file. */
  end(): SourceRecord[];
}
