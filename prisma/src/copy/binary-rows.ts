/** Writes the cells of a row, in the order of the statement's columns; null is NULL. */
export interface RowCells {
  /** Also for enumerations and `char(n)`. */
  text(value: string | null): void;
  uuid(value: string | null): void;
  /** `bytea`, from hex. */
  bytes(hex: string | null): void;
  bigint(value: bigint | null): void;
  /** `double precision`. */
  float(value: number | null): void;
  timestamp(value: Date | null): void;
}

/** Bytes sent at once; a piece is longer only where one cell is. */
const PIECE_BYTES = 65_536;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;
const UUID_BYTES = 16;
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

function hexCell(out: Output, digits: string, bytes: number): void {
  const at = cell(out, bytes);
  // Other characters than hexadecimal digits end what is written.
  const written = digits.length === 2 * bytes ? out.piece.write(digits, at, bytes, 'hex') : 0;
  if (written !== bytes) throw new TypeError(`these are not ${bytes} bytes in hex: ${digits}`);
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
    uuid: orAbsent<string>((_, id) => hexCell(out, id.replaceAll('-', ''), UUID_BYTES)),
    bytes: orAbsent<string>((_, hex) => hexCell(out, hex, hex.length / 2)),
    bigint: orAbsent(bigintCell),
    float: orAbsent(floatCell),
    timestamp: orAbsent<Date>((_, at) => bigintCell(out, BigInt(at.getTime() - EPOCH_MS) * 1_000n)),
  };
}
