/** Writes the cells of a row, in the order of the statement's columns; null becomes NULL. */
export interface RowCells {
  /** Also for enums and `char(n)`. */
  text(value: string | null): void;
  uuid(value: string | null): void;
  /** `bytea`; a text must be hexadecimal. */
  bytes(value: Uint8Array | string | null): void;
  boolean(value: boolean | null): void;
  /** `jsonb`. */
  json(text: string | null): void;
  bigint(value: bigint | null): void;
  /** `bigint[]`. */
  bigints(values: readonly bigint[] | null): void;
  /** `double precision`. */
  float(value: number | null): void;
  timestamp(value: Date | null): void;
}

/** Size of a piece in bytes; a piece is only longer if a single cell is. */
const PIECE_BYTES = 65_536;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;
const UUID_BYTES = 16;
const UUID_TEXT = 36;
/** PostgreSQL counts microseconds since the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0);

/**
 * Yields rows in the form of `COPY … FROM STDIN (FORMAT binary)`, in pieces of limited size, each made on
 * demand. PostgreSQL then parses no text, but also casts nothing: cells must have the types of their columns.
 *
 * @param columns - number of cells that `write` writes
 */
export function* binaryRows<Row>(
  columns: number,
  rows: readonly Row[],
  write: (cells: RowCells, row: Row) => void,
): Generator<Buffer> {
  const out: Output = { piece: Buffer.allocUnsafeSlow(PIECE_BYTES), length: 0, full: [] };
  const cells = cellsInto(out);
  SIGNATURE.copy(out.piece, reserve(out, SIGNATURE.length));
  for (const row of rows) {
    const at = reserve(out, 2);
    out.piece.writeInt16BE(columns, at);
    write(cells, row);
    if (out.full.length > 0) yield* out.full.splice(0);
  }
  const at = reserve(out, 2);
  out.piece.writeInt16BE(END, at);
  yield* out.full;
  yield out.piece.subarray(0, out.length);
}

interface Output {
  piece: Buffer;
  length: number;
  /** Full pieces that are sent before `piece`. */
  readonly full: Buffer[];
}

/** Returns the position for the next `bytes`; `piece` is replaced if it has no room for them. */
function reserve(out: Output, bytes: number): number {
  if (out.length + bytes > out.piece.length) {
    out.full.push(out.piece.subarray(0, out.length));
    out.piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
    out.length = 0;
  }
  const at = out.length;
  out.length += bytes;
  return at;
}

/** Starts a cell of this length and returns the position of its bytes. */
function cell(out: Output, bytes: number): number {
  const at = reserve(out, 4 + bytes);
  out.piece.writeInt32BE(bytes, at);
  return at + 4;
}

const absent = (out: Output): void => {
  const at = reserve(out, 4);
  out.piece.writeInt32BE(-1, at);
};

/** Value of a hexadecimal digit by character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? -1;

const HYPHENS = [8, 13, 18, 23];

/** Decodes digit by digit, which is twice as fast as removing the hyphens and using Node's decoder. */
function uuidCell(out: Output, id: string): void {
  let at = cell(out, UUID_BYTES);
  let wrong = id.length === UUID_TEXT && HYPHENS.every((place) => id[place] === '-') ? 0 : -1;
  for (let place = 0; place < UUID_TEXT; place += 2) {
    if (HYPHENS.includes(place)) place += 1;
    const [high, low] = [digitAt(id, place), digitAt(id, place + 1)];
    wrong |= high | low;
    out.piece[at] = (high << 4) | low;
    at += 1;
  }
  if (wrong < 0) throw new TypeError(`this is no UUID: ${id}`);
}

function hexCell(out: Output, digits: string, bytes: number): void {
  const at = cell(out, bytes);
  // Writing stops at the first character that is not a hexadecimal digit.
  const written = digits.length === 2 * bytes ? out.piece.write(digits, at, bytes, 'hex') : 0;
  if (written !== bytes) throw new TypeError(`these are not ${bytes} bytes in hex: ${digits}`);
}

function bytesCell(out: Output, value: Uint8Array | string): void {
  if (typeof value === 'string') hexCell(out, value, value.length / 2);
  else {
    const at = cell(out, value.length);
    out.piece.set(value, at);
  }
}

function booleanCell(out: Output, value: boolean): void {
  const at = cell(out, 1);
  out.piece[at] = value ? 1 : 0;
}

/** Writes the version of PostgreSQL's format and the text. */
function jsonCell(out: Output, text: string): void {
  const bytes = Buffer.byteLength(text);
  const at = cell(out, 1 + bytes);
  out.piece[at] = 1;
  out.piece.write(text, at + 1, bytes);
}

function textCell(out: Output, value: string): void {
  const bytes = Buffer.byteLength(value);
  const at = cell(out, bytes);
  out.piece.write(value, at, bytes);
}

function bigintCell(out: Output, value: bigint): void {
  const at = cell(out, 8);
  out.piece.writeBigInt64BE(value, at);
}

const BIGINT_OID = 20;

/**
 * Writes the number of dimensions, the NULL flag, type, length and first subscript, then each item as a cell.
 */
function bigintsCell(out: Output, values: readonly bigint[]): void {
  const head = values.length > 0 ? [1, 0, BIGINT_OID, values.length, 1] : [0, 0, BIGINT_OID];
  let at = cell(out, 4 * head.length + 12 * values.length);
  for (const number of head) at = out.piece.writeInt32BE(number, at);
  for (const value of values) {
    at = out.piece.writeInt32BE(8, at);
    at = out.piece.writeBigInt64BE(value, at);
  }
}

const HALF = 2 ** 32;

/**
 * Written in two halves, because a bigint takes three times as long; exact for 2,000 years before and after
 * 2000.
 */
function timestampCell(out: Output, time: Date): void {
  const microseconds = (time.getTime() - EPOCH_MS) * 1_000;
  if (Number.isNaN(microseconds)) throw new RangeError('this is no time');
  const high = Math.floor(microseconds / HALF);
  const at = cell(out, 8);
  out.piece.writeInt32BE(high, at);
  out.piece.writeUInt32BE(microseconds - high * HALF, at + 4);
}

function floatCell(out: Output, value: number): void {
  const at = cell(out, 8);
  out.piece.writeDoubleBE(value, at);
}

function cellsInto(out: Output): RowCells {
  const orAbsent =
    <T>(write: (out: Output, value: T) => void) =>
    (value: T | null): void =>
      value === null ? absent(out) : write(out, value);
  return {
    text: orAbsent(textCell),
    uuid: orAbsent(uuidCell),
    bytes: orAbsent(bytesCell),
    boolean: orAbsent(booleanCell),
    json: orAbsent(jsonCell),
    bigint: orAbsent(bigintCell),
    bigints: orAbsent(bigintsCell),
    float: orAbsent(floatCell),
    timestamp: orAbsent(timestampCell),
  };
}
