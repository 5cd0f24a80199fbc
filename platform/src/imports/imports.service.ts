import type { Context } from '../context.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Page, PageArgs } from '../pages.ts';
import { pageRequest } from '../pages.ts';
import { checkMapping, fieldSets } from './import-fields.ts';
import type { Issue } from './import-layout.ts';
import { FILE_BYTES_MAX, PART_BYTES_MAX, PARTS_MAX } from './import-limits.ts';
import { deleteParts, putPart, sizeOfParts } from './import-parts.store.ts';
import { tellProgress, watchImport } from './import-progress.ts';
import { PART_CONTEXT } from './import-rows.ts';
import {
  changeToCancelled,
  changeToQueued,
  findImport,
  firstIssues,
  type Import,
  type ImportFormat,
  type ImportKind,
  importsPage,
  insertImport,
  type OnDuplicate,
} from './imports.store.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const scopeOf = { MEMBERS: 'members', ORDERS: 'orders', CATALOG: 'catalog' } as const;
const kinds = Object.keys(scopeOf) as ImportKind[];

/** May the caller import, or see imports of, this kind? */
function isAllowed({ caller }: Context, kind: ImportKind, what: 'read' | 'write'): boolean {
  const noun = scopeOf[kind];
  const enough = ['*', 'imports:write', `${noun}:write`, ...(what === 'read' ? [`${noun}:read`] : [])];
  return enough.some((scope) => caller.scopes.includes(scope));
}

function permit(ctx: Context, kind: ImportKind): void {
  if (isAllowed(ctx, kind, 'write')) return;
  throw forbidden('SCOPE_MISSING', `This needs the scope imports:write or ${scopeOf[kind]}:write.`);
}

/**
 * One import of the caller's workspace and mode; those of kinds that the caller may not read are none to it.
 *
 * @throws AppError IMPORT_NOT_FOUND (404)
 */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  const job = await findImport(ctx, id);
  if (!job || !isAllowed(ctx, job.kind, 'read')) throw notFound('import', id);
  return job;
}

/** The same, for who may import its kind. @throws AppError IMPORT_NOT_FOUND (404), SCOPE_MISSING (403) */
export async function getImportToWrite(ctx: Context, id: string): Promise<Import> {
  const job = await getImport(ctx, id);
  permit(ctx, job.kind);
  return job;
}

/** Imports of the kinds that the caller may read, newest first. @throws AppError VALIDATION_FAILED (400) */
export async function listImports(
  ctx: Context,
  args: PageArgs & { readonly kind?: ImportKind | null | undefined },
): Promise<Page<Import>> {
  const asked = args.kind ? [args.kind] : kinds;
  const allowed = asked.filter((kind) => isAllowed(ctx, kind, 'read'));
  return importsPage(ctx, pageRequest(args), allowed);
}

/** The first issues of an import in the order of the file. @throws AppError VALIDATION_FAILED (400) */
export async function listIssues(
  ctx: Context,
  id: string,
  args: {
    readonly first?: number | null | undefined;
    readonly severity?: Issue['severity'] | null | undefined;
  },
): Promise<Issue[]> {
  const { size } = pageRequest({ first: args.first }, 100);
  return firstIssues(ctx, id, size, args.severity ?? null);
}

/**
 * Opens an import, whose file is to follow in parts.
 *
 * @param input.mapping - field by the file's name of a column; columns named like fields need none
 * @throws AppError VALIDATION_FAILED (400) naming the mapping
 * @remarks Source: requirement L-IMP-02
 */
export async function createImport(
  ctx: Context,
  kind: ImportKind,
  input: {
    readonly format: ImportFormat;
    readonly mapping?: Readonly<Record<string, unknown>> | null | undefined;
    readonly onDuplicate?: OnDuplicate | null | undefined;
  },
): Promise<Import> {
  permit(ctx, kind);
  const mapping = checkMapping(fieldSets[kind], input.mapping ?? {});
  const onDuplicate = input.onDuplicate ?? 'UPDATE';
  return insertImport(ctx, newId(ctx.clock), { kind, format: input.format, mapping, onDuplicate });
}

/**
 * Adds a part of the file, sealed; the same part again takes the place of the first.
 *
 * @param part - from 0
 * @param data - base64 of at most 184,320 bytes
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_STARTED (409), VALIDATION_FAILED (400)
 */
export async function appendImport(ctx: Context, id: string, part: number, data: string): Promise<Import> {
  const bytes = partOf(part, data);
  const job = await getImportToWrite(ctx, id);
  const { workspaceId } = ctx.scope;
  const sealed = await ctx.services.keyring.seal(workspaceId, bytes.toString('latin1'), PART_CONTEXT);
  if (await putPart(ctx, id, { number: part, size: bytes.length, sealed })) return job;
  throw started();
}

function partOf(part: number, data: string): Buffer {
  if (part < 0) throw invalid('part', 'must be at least 0');
  if (part >= PARTS_MAX) throw fileTooLarge();
  if (!BASE64.test(data) || data.length % 4 !== 0) throw invalid('data', 'must be base64');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw invalid('data', 'must not be empty');
  if (bytes.length > PART_BYTES_MAX) throw invalid('data', `must be at most ${PART_BYTES_MAX} bytes`);
  return bytes;
}

const fileTooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'FILE_TOO_LARGE', 'A file may have 1 GiB at most. Split it up.');

const started = (): AppError =>
  conflict('IMPORT_STARTED', 'This import has its file already. Create another import for another file.');

/**
 * Queues an import whose parts have all arrived; `tell` publishes what its job waits for. Parts behind the
 * last one, which an earlier try may have left, are dropped.
 *
 * @param parts - how many parts the file has
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_PART_MISSING, IMPORT_STARTED (409), FILE_TOO_LARGE (413)
 */
export async function startImport(
  ctx: Context,
  id: string,
  parts: number,
  tell: (tx: Context, job: Import) => Promise<void>,
): Promise<Import> {
  if (parts < 1 || parts > PARTS_MAX) throw invalid('parts', `must be between 1 and ${PARTS_MAX}`);
  const found = await getImportToWrite(ctx, id);
  if (found.status === 'QUEUED' || found.status === 'RUNNING') return found;
  if (found.status !== 'UPLOADING') throw started();
  return ctx.transaction(async (tx) => {
    const { count, bytes } = await sizeOfParts(tx, id, parts);
    if (count < parts) {
      throw conflict(
        'IMPORT_PART_MISSING',
        `Of ${parts} parts ${count} have arrived. Send the missing ones and start again.`,
      );
    }
    if (bytes > FILE_BYTES_MAX) throw fileTooLarge();
    const job = await changeToQueued(tx, id, { parts, bytes });
    if (!job) throw started();
    await tell(tx, job);
    return job;
  });
}

/**
 * Stops an import that is not finished; what is written stays. Again it changes nothing.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_FINISHED (409)
 */
export async function cancelImport(ctx: Context, id: string): Promise<Import> {
  const found = await getImportToWrite(ctx, id);
  if (found.status === 'CANCELLED') return found;
  return ctx.transaction(async (tx) => {
    const job = await changeToCancelled(tx, id);
    if (!job) throw conflict('IMPORT_FINISHED', 'This import is finished and cannot be cancelled.');
    await deleteParts(tx, id);
    tellProgress(tx, id, true);
    return job;
  });
}

/**
 * The import now and after every change, twice a second at most; ends behind its last state.
 *
 * @throws AppError IMPORT_NOT_FOUND (404)
 */
export async function watchImportProgress(ctx: Context, id: string): Promise<AsyncIterableIterator<Import>> {
  await getImport(ctx, id);
  return watchImport(ctx, id);
}
