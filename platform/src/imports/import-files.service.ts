import { AppError, conflict, invalid } from '../base/errors.ts';
import { atLeast, between, notEmpty } from '../base/input-rules.ts';
import type { Context } from '../context.ts';
import { keyReused } from '../identity/idempotency.ts';
import type { ImportDefinition } from './import-definition.ts';
import { FILE_BYTES_MAX, PART_BYTES_MAX, PARTS_MAX } from './import-limits.ts';
import { findPart, putPart, sizeOfParts } from './import-parts.store.ts';
import { PART_CONTEXT } from './import-rows.ts';
import { getImport, requestJob } from './imports.service.ts';
import { changeToQueued, type Import } from './imports.store.ts';

/** Context of the keyed fingerprint of a file. */
const FILE_CONTEXT = 'import-file';

/** A file whose parts have all been sent. */
export interface FileSent {
  readonly parts: number;
  /** In hexadecimal digits; null if the client does not send a hash. */
  readonly sha256?: string | null | undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Stores a part of the file, sealed. A part that is sent again replaces the first one.
 *
 * @param part - index from 0
 * @param data - base64 of at most 184,320 bytes
 * @param replaces - if false, a part that has already arrived with other bytes is refused
 * @throws AppError IMPORT_STARTED, IMPORT_PART_DIFFERS (409), VALIDATION_FAILED (400), FILE_TOO_LARGE (413)
 */
export async function appendImport(
  ctx: Context,
  job: Import,
  part: number,
  data: string,
  replaces = true,
): Promise<Import> {
  const bytes = partOf(part, data);
  const { id } = job;
  const { workspaceId } = ctx.scope;
  const text = bytes.toString('latin1');
  const sealed = await ctx.services.keyring.seal(workspaceId, text, PART_CONTEXT);
  if (await putPart(ctx, id, { number: part, size: bytes.length, sealed, replaces })) return job;
  const arrived = replaces ? null : await findPart(ctx, id, part);
  if (!arrived) throw started();
  if ((await ctx.services.keyring.open(workspaceId, arrived, PART_CONTEXT)) === text) return job;
  throw conflict(
    'IMPORT_PART_DIFFERS',
    `Part ${part} has arrived with other bytes. Create another import for another file.`,
  );
}

function partOf(part: number, data: string): Buffer {
  if (part < 0) throw invalid('part', atLeast(0));
  if (part >= PARTS_MAX) throw fileTooLarge();
  if (!BASE64.test(data) || data.length % 4 !== 0) throw invalid('data', 'must be base64');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw invalid('data', notEmpty);
  if (bytes.length > PART_BYTES_MAX) throw invalid('data', `must be at most ${PART_BYTES_MAX} bytes`);
  return bytes;
}

const fileTooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'FILE_TOO_LARGE', 'A file may have 1 GiB at most. Split it up.');

const started = (): AppError =>
  conflict('IMPORT_STARTED', 'This import has its file already. Create another import for another file.');

/**
 * Queues an import whose parts have all arrived, and starts its job. Later parts, from an earlier attempt,
 * are deleted.
 *
 * @param file.parts - number of parts of the file
 * @param file.sha256 - hash of the file; an import that was started with another file is refused
 * @throws AppError IMPORT_PART_MISSING, IMPORT_STARTED, IDEMPOTENCY_KEY_REUSED (409), FILE_TOO_LARGE (413)
 */
export async function startImport(
  ctx: Context,
  definition: ImportDefinition,
  found: Import,
  { parts, sha256 }: FileSent,
): Promise<Import> {
  if (parts < 1 || parts > PARTS_MAX) throw invalid('parts', between(1, PARTS_MAX));
  const { id } = found;
  if (found.status !== 'UPLOADING') return startedBefore(ctx, found, sha256 ?? null);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const fingerprint = sha256 ? keys.index(sha256, FILE_CONTEXT) : null;
  const queue = ctx.transaction(async (tx) => {
    const { count, bytes } = await sizeOfParts(tx, id, parts);
    if (count < parts) {
      throw conflict(
        'IMPORT_PART_MISSING',
        `Of ${parts} parts ${count} have arrived. Send the missing ones and start again.`,
      );
    }
    if (bytes > FILE_BYTES_MAX) throw fileTooLarge();
    const job = await changeToQueued(tx, id, { parts, bytes, fingerprint });
    if (!job) throw started();
    await requestJob(tx, definition, job);
    return job;
  });
  return queue.catch(async (error: unknown) => {
    // Another call has just started the import, perhaps with the same file.
    if (!sha256 || !(error instanceof AppError) || error.code !== 'IMPORT_STARTED') throw error;
    return startedBefore(ctx, await getImport(ctx, id), sha256);
  });
}

/**
 * Returns an import that was already started, if it was started with the same file.
 *
 * @throws AppError IMPORT_STARTED, IDEMPOTENCY_KEY_REUSED (409)
 */
async function startedBefore(ctx: Context, found: Import, sha256: string | null): Promise<Import> {
  const isWaiting = found.status === 'QUEUED' || found.status === 'RUNNING';
  if (sha256 && found.fingerprint) {
    const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
    if (keys.indexes(sha256, FILE_CONTEXT).includes(found.fingerprint)) return found;
    throw keyReused();
  }
  if (isWaiting) return found;
  throw started();
}
