/** Writes the cells of a row, in the order of the statement's columns; null is NULL. */
export interface RowCells {
  /** Also for enumerations and `char(n)`. */
  text(value: string | null): void;
  uuid(value: string | null): void;
  /** `bytea`; a text is in hex. */
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

/** Bytes sent at once; a piece is longer only where one cell is. */
const PIECE_BYTES = 65_536;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;
const UUID_BYTES = 16;
const UUID_TEXT = 36;
/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0);

/**
 * Rows as `COPY … FROM STDIN (FORMAT binary)` reads them, in pieces of bounded size, each made when it is
 * asked for. PostgreSQL parses no text then, but casts nothing either: cells have their columns' types.
 *
 * @param columns - how many cells `write` writes
 */
export function* binaryRows<Row>(
  columns: number,
  rows: readonly Row[],
  write: (cells: RowCells, row: Row) => void,
): Generator<Buffer> {
  const out: Output = { piece: Buffer.allocUnsafeSlow(PIECE_BYTES), length: 0, full: [] };
  const cells = cellsInto(out);
  SIGNATURE.copy(out.piece, room(out, SIGNATURE.length));
  for (const row of rows) {
    const at = room(out, 2);
    out.piece.writeInt16BE(columns, at);
    write(cells, row);
    if (out.full.length > 0) yield* out.full.splice(0);
  }
  const at = room(out, 2);
  out.piece.writeInt16BE(END, at);
  yield* out.full;
  yield out.piece.subarray(0, out.length);
}

interface Output {
  piece: Buffer;
  length: number;
  /** Pieces to send before `piece`. */
  readonly full: Buffer[];
}

/** Where the next `bytes` go; `piece` is another one afterwards where the last one had no room for them. */
function room(out: Output, bytes: number): number {
  if (out.length + bytes > out.piece.length) {
    out.full.push(out.piece.subarray(0, out.length));
    out.piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
    out.length = 0;
  }
  const at = out.length;
  out.length += bytes;
  return at;
}

/** A cell of that length, whose bytes begin where the answer says. */
function cell(out: Output, bytes: number): number {
  const at = room(out, 4 + bytes);
  out.piece.writeInt32BE(bytes, at);
  return at + 4;
}

const absent = (out: Output): void => {
  const at = room(out, 4);
  out.piece.writeInt32BE(-1, at);
};

/** The digit of a character code; -1 where it is none. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? -1;

const HYPHENS = [8, 13, 18, 23];

/** Digit by digit: twice as fast as to take the hyphens out and have Node read what is left. */
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
  // Other characters than hexadecimal digits end what is written.
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

/** PostgreSQL's version of the format, and the text. */
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

/** Dimensions, whether there are NULLs, type, length, the first subscript; then each item as a cell. */
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

/** In two halves, because a bigint costs three times as much; exact for 2,000 years before and after 2000. */
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
