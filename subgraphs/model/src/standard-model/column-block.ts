import { createHash } from 'node:crypto';

export type Column = Float64Array | Int32Array | Uint16Array | Uint8Array;

interface ColumnKind {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (size: number): Column;
  new (buffer: ArrayBufferLike, from: number, size: number): Column;
}

const kinds = { Float64Array, Int32Array, Uint16Array, Uint8Array } as Record<string, ColumnKind>;

/** Columns of equal length, by name. */
export type ColumnsOf<Name extends string> = Readonly<Record<Name, Column>>;

/** The binary form of blocks that have these columns. */
export interface BlockLayout<Name extends string> {
  /**
   * A hash of names and kinds: layouts of other columns, or of a machine with the other byte order, differ.
   */
  readonly id: number;
  readonly bytesOfRow: number;
  /** Widest first, so that each column begins at a multiple of its width. */
  readonly columns: readonly (readonly [Name, ColumnKind])[];
}

/** Returns the layout of blocks with the same columns as `example`. */
export function layoutOf<Name extends string>(example: ColumnsOf<Name>): BlockLayout<Name> {
  const columns = (Object.entries(example) as [Name, Column][])
    .map(([name, column]) => [name, kinds[column.constructor.name]!] as const)
    .sort(([, one], [, other]) => other.BYTES_PER_ELEMENT - one.BYTES_PER_ELEMENT);
  const form = columns.map(([name, kind]) => `${name}:${kind.name}`).join();
  return {
    id: createHash('sha256').update(form).digest().readUInt32BE(),
    bytesOfRow: columns.reduce((sum, [, { BYTES_PER_ELEMENT }]) => sum + BYTES_PER_ELEMENT, 0),
    columns,
  };
}

/** Bytes of a message's head: the layout's id, the number of rows, and the message's numbers. */
const headBytes = (numbers: number): number => 8 + 8 * numbers;

/** The length of a message in bytes. */
export const messageBytes = ({ bytesOfRow }: BlockLayout<string>, size: number, numbers: number): number =>
  headBytes(numbers) + size * bytesOfRow;

/**
 * Writes a message: layout and row count as 32-bit numbers, then the numbers, then the columns as they are in
 * memory.
 */
export function writeMessage<Name extends string>(
  layout: BlockLayout<Name>,
  { size, numbers, columns }: { size: number; numbers: readonly number[]; columns: ColumnsOf<Name> },
): Uint8Array {
  const bytes = new Uint8Array(messageBytes(layout, size, numbers.length));
  new Uint32Array(bytes.buffer, 0, 2).set([layout.id, size]);
  new Float64Array(bytes.buffer, 8, numbers.length).set(numbers);
  let at = headBytes(numbers.length);
  for (const [name, Kind] of layout.columns) {
    new Kind(bytes.buffer, at, size).set(columns[name]);
    at += size * Kind.BYTES_PER_ELEMENT;
  }
  return bytes;
}

interface Message<Name extends string> {
  readonly size: number;
  readonly numbers: readonly number[];
  readonly columns: ColumnsOf<Name>;
}

/**
 * Reads a message; null if the bytes are no message of this layout, or their length differs from the head.
 */
export function readMessage<Name extends string>(
  layout: BlockLayout<Name>,
  bytes: Uint8Array,
  numbers: number,
): Message<Name> | null {
  if (bytes.length < headBytes(numbers)) return null;
  const { buffer, byteOffset } = aligned(bytes);
  const [id, size] = new Uint32Array(buffer, byteOffset, 2) as unknown as [number, number];
  if (id !== layout.id || bytes.length !== messageBytes(layout, size, numbers)) return null;
  let at = byteOffset + headBytes(numbers);
  const columns = layout.columns.map(([name, Kind]) => {
    const column = new Kind(buffer, at, size);
    at += size * Kind.BYTES_PER_ELEMENT;
    return [name, column];
  });
  return {
    size,
    numbers: [...new Float64Array(buffer, byteOffset + 8, numbers)],
    columns: Object.fromEntries(columns) as ColumnsOf<Name>,
  };
}

/**
 * Columns must be aligned: small messages come from a pool of bytes at any offset, and are copied out of it.
 */
const aligned = (bytes: Uint8Array): Uint8Array =>
  bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
