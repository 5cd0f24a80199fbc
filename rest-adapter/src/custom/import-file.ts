import type { Readable } from 'node:stream';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { checkStorable } from '@loyalty/platform/base/input';
import { FILE_BYTES_MAX, JSON_BYTES_MAX, PART_BYTES_MAX } from '@loyalty/platform/imports/import-limits';
import type { FastifyRequest } from 'fastify';

/** A file to import, and its settings. */
export interface ImportFile {
  readonly format: 'CSV' | 'NDJSON';
  readonly mapping: unknown;
  readonly onDuplicate: unknown;
  readonly chunks: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Media types of bodies that are the file itself. */
export const FILE_TYPES = { 'text/csv': 'CSV', 'application/x-ndjson': 'NDJSON' } as const;

/**
 * Returns the file of a request: the body itself, or the file that a JSON body contains.
 *
 * @param rowsField - another name for the field `rows` in JSON
 * @throws AppError VALIDATION_FAILED (400), MEDIA_TYPE_UNSUPPORTED (415), FILE_TOO_LARGE (413)
 */
export function importFileOf(request: FastifyRequest, rowsField: string): ImportFile {
  const [mediaType = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(/;\s*/);
  if (!Object.hasOwn(FILE_TYPES, mediaType.trim())) return fileInJson(request.body, rowsField);
  const charset = parameters.find((each) => each.startsWith('charset='))?.replace(/^charset="?|"$/g, '');
  if (charset && !/^(utf-?8|us-ascii)$/.test(charset)) {
    throw new AppError('BAD_USER_INPUT', 'MEDIA_TYPE_UNSUPPORTED', 'Send the file in UTF-8.');
  }
  if (Number(request.headers['content-length'] ?? 0) > FILE_BYTES_MAX) throw fileTooLarge();
  const query = request.query as Record<string, unknown>;
  return {
    format: FILE_TYPES[mediaType.trim() as keyof typeof FILE_TYPES],
    mapping: mappingIn(query['mapping']),
    onDuplicate: query['onDuplicate'],
    // An upload may be refused before its end. The connection must stay open for that answer.
    chunks: (request.body as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
  };
}

const fileTooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'FILE_TOO_LARGE', 'A file may have 1 GiB at most. Split it up.');

function mappingIn(text: unknown): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(String(text));
  } catch {
    throw invalid('mapping', 'must be a JSON object');
  }
}

function fileInJson(body: unknown, rowsField: string): ImportFile {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('BAD_USER_INPUT', 'BODY_INVALID', 'The body must be a JSON object.');
  const known = [
    'format',
    'content',
    'mapping',
    'onDuplicate',
    'rows',
    ...(rowsField === 'rows' ? [] : [rowsField]),
  ];
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown) {
    const rule = `is not a field of this request; known are ${known.join(', ')}`;
    throw invalid(unknown, rule, 'UNKNOWN_FIELD');
  }
  const { format, content, mapping, onDuplicate, ...others } = body as Record<string, unknown>;
  const rows = others[rowsField] ?? others['rows'];
  const given = [...new Set([rowsField, 'rows']), 'content'].filter((name) => isGiven(body, name));
  if (given.length > 1) throw invalid(given[0]!, `cannot come together with ${given[1]}: send one of them`);
  checkStorable('content', content);
  const settings = { mapping, onDuplicate };
  if (format === 'csv') return { ...settings, format: 'CSV', chunks: [Buffer.from(textOf(content))] };
  if (format === 'ndjson') return { ...settings, format: 'NDJSON', chunks: [Buffer.from(textOf(content))] };
  if (format !== 'json') throw invalid('format', 'must be csv, json or ndjson');
  const list = rows ?? parsed(textOf(content, rowsField));
  if (!Array.isArray(list)) throw invalid(rows ? rowsField : 'content', 'must be a JSON array of rows');
  if (list.length === 0) throw invalid(rows ? rowsField : 'content', 'must have at least one row');
  const lines = list.map((row) => JSON.stringify(row)).join('\n');
  return { ...settings, format: 'NDJSON', chunks: [Buffer.from(lines)] };
}

const isGiven = (body: object, name: string): boolean =>
  ((body as Record<string, unknown>)[name] ?? null) !== null;

function textOf(content: unknown, orElse?: string): string {
  if (typeof content === 'string' && content !== '') return content;
  throw invalid(
    'content',
    orElse ? `is required where there are no ${orElse}` : 'must be the text of the file',
  );
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw invalid('content', 'must be valid JSON');
  }
}

/** Maximum bytes of a JSON body, which is read as a whole. */
export const JSON_BODY_MAX = JSON_BYTES_MAX;

/**
 * Splits the bytes into parts of equal size; the last part may be smaller.
 *
 * @throws AppError FILE_TOO_LARGE (413)
 */
export async function* partsOf(chunks: ImportFile['chunks']): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > FILE_BYTES_MAX) throw fileTooLarge();
    waiting.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES_MAX) continue;
    let bytes = Buffer.concat(waiting);
    for (; bytes.length >= PART_BYTES_MAX; bytes = bytes.subarray(PART_BYTES_MAX))
      yield bytes.subarray(0, PART_BYTES_MAX);
    waiting = [bytes];
    length = bytes.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
