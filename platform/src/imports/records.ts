import { type InputRule, inputRule } from '../base/input-rules.ts';

/** Characters of one row at most. */
export const RECORD_LENGTH_MAX = 1024 * 1024;
export const TOO_LONG = inputRule('ROW_TOO_LONG', 'is longer than 1 MiB');
export const NOT_UTF8 = inputRule('ENCODING', 'holds bytes that are not UTF-8');

/** Why a row, or one of its cells, cannot be read. */
export interface RowFault {
  /** Index of the column; null where the row as a whole is meant. */
  readonly column: number | null;
  /** Completes the sentence that names the row. */
  readonly message: string;
  /** The same for programs. */
  readonly rule?: InputRule;
}

export const faultAt = (column: number | null, rule: InputRule): RowFault => ({
  column,
  message: rule.text,
  rule,
});

export const unreadable = (rule: InputRule): RowFault => faultAt(null, rule);

/** One row of a file as it stands there. */
export interface SourceRecord {
  /** From 1, as a spreadsheet numbers them. */
  readonly row: number;
  /** Text of a CSV file's cells. */
  readonly cells?: readonly string[];
  /** Fields of a JSON row; null of a blank line and of a row that cannot be read. */
  readonly object?: Readonly<Record<string, unknown>> | null;
  readonly fault: RowFault | null;
}

/** Turns bytes into rows as they come. */
export interface Parser {
  /** The rows that these bytes complete. */
  push(bytes: Buffer): SourceRecord[];
  /** The row that the file ends with. */
  end(): SourceRecord[];
}
