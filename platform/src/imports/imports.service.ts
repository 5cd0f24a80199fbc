import { type AppError, conflict, invalid, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { checkText } from '../base/input.ts';
import type { Context } from '../context.ts';
import { loader } from '../database/loaders.ts';
import { type Page, type PageArgs, pageRequest } from '../database/pages.ts';
import { publishEnd } from '../subscriptions/publish-progress.ts';
import { publish } from '../work/events.ts';
import type { Issue } from './import-cells.ts';
import type { ImportDefinition } from './import-definition.ts';
import { checkMapping } from './import-fields.ts';
import { PARTS_MAX } from './import-limits.ts';
import { countParts, deleteParts } from './import-parts.store.ts';
import { checkColumns } from './import-preview.ts';
import {
  changeMapping,
  changeToCancelled,
  changeToContinued,
  changeToFailed,
  changeToNextRound,
  findImport,
  firstIssues,
  type Import,
  type ImportFormat,
  importsPage,
  insertImport,
  type OnDuplicate,
} from './imports.store.ts';

// These functions manage files and progress. The noun `imports` of loyalty checks who may import what.

/** Returns one import of the caller's workspace and mode. @throws AppError IMPORT_NOT_FOUND (404) */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  const job = await findImport(ctx, id);
  if (!job) throw notFound('import', id);
  return job;
}

/** Returns imports of these kinds, newest first. @throws AppError VALIDATION_FAILED (400) */
export const listImports = async (
  ctx: Context,
  args: PageArgs,
  kinds: readonly string[],
): Promise<Page<Import>> => importsPage(ctx, pageRequest(args), kinds);

/** Returns the first issues of an import in file order. @throws AppError VALIDATION_FAILED (400) */
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

/** A file that is going to be uploaded. */
export interface NewImport {
  readonly format: ImportFormat;
  /** Field by column name in the file; columns that are named like fields need no entry. */
  readonly mapping?: Readonly<Record<string, unknown>> | null | undefined;
  /** Name for people; never used as a path. */
  readonly fileName?: string | null | undefined;
  /** Default: UPDATE. */
  readonly onDuplicate?: OnDuplicate | null | undefined;
  /** Number of parts of the file, if the client knows it in advance. */
  readonly parts?: number | null | undefined;
}

function partsOf(parts: number | null | undefined): number | null {
  if (parts == null) return null;
  if (parts < 1 || parts > PARTS_MAX) throw invalid('parts', `must be between 1 and ${PARTS_MAX}`);
  return parts;
}

/**
 * Creates an import. Its file is then uploaded in parts.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the mapping
 * @remarks Source: requirement L-IMP-02
 */
export async function createImport(
  ctx: Context,
  { kind, fields }: ImportDefinition,
  { format, mapping, onDuplicate, parts, fileName }: NewImport,
): Promise<Import> {
  return insertImport(ctx, newId(ctx.clock), {
    kind,
    format,
    mapping: checkMapping(fields, mapping ?? {}),
    onDuplicate: onDuplicate ?? 'UPDATE',
    parts: partsOf(parts),
    fileName: fileNameOf(fileName),
  });
}

const FILE_NAME_LENGTH_MAX = 255;

/** Returns the name without folders; null if it is empty. */
function fileNameOf(fileName: string | null | undefined): string | null {
  const name = fileName?.split(/[\\/]/).at(-1)?.trim();
  return name ? checkText('fileName', name, FILE_NAME_LENGTH_MAX) : null;
}

/**
 * Changes the mapping of a file whose first part has arrived and whose import was not started.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the mapping, IMPORT_PART_MISSING, IMPORT_STARTED,
 *   IMPORT_FINISHED (409)
 */
export async function remapImport(
  ctx: Context,
  definition: ImportDefinition,
  found: Import,
  mapping: Readonly<Record<string, unknown>>,
): Promise<Import> {
  if (found.finishedAt) throw conflict('IMPORT_FINISHED', 'This import is finished; its file is not kept.');
  const started = (): AppError =>
    conflict('IMPORT_STARTED', 'This import is started; what its columns fill cannot be changed any more.');
  if (found.status !== 'UPLOADING') throw started();
  const job = await changeMapping(ctx, found.id, await checkColumns(ctx, definition, found, mapping));
  if (!job) throw started();
  return job;
}

/** Starts the job of an import with a complete file, after the commit of the transaction. */
export const requestJob = (
  tx: Context,
  { requested }: ImportDefinition,
  { id, bytes }: Import,
): Promise<void> => publish(tx, requested, { importId: id, bytes: Number(bytes) });

/**
 * Cancels an import that is not finished; written rows stay. Has no effect on a cancelled import. If the
 * import was started, its file is kept like that of a failed one, so that it can be retried; otherwise it is
 * deleted.
 *
 * @throws AppError IMPORT_FINISHED (409)
 */
export async function cancelImport(ctx: Context, found: Import): Promise<Import> {
  if (found.status === 'CANCELLED') return found;
  return ctx.transaction(async (tx) => {
    const job = await changeToCancelled(tx, found.id);
    if (!job) throw conflict('IMPORT_FINISHED', 'This import is finished and cannot be cancelled.');
    if (job.bytes === 0n) await deleteParts(tx, job.id);
    publishEnd(tx, 'import', job.id);
    return job;
  });
}

/**
 * Queues an import again. A failed or cancelled import continues after the last written row. An import that
 * has read its whole file processes its failed rows again. No row is written twice.
 *
 * @throws AppError IMPORT_NOT_RETRYABLE (409)
 */
export async function retryImport(
  ctx: Context,
  definition: ImportDefinition,
  { id }: Import,
): Promise<Import> {
  return ctx.transaction(async (tx) => {
    const job = (await changeToContinued(tx, id)) ?? (await changeToNextRound(tx, id));
    if (!job)
      throw conflict(
        'IMPORT_NOT_RETRYABLE',
        'Only an import that ended with rows left that are still kept can be retried. Create another one.',
      );
    await requestJob(tx, definition, job);
    return job;
  });
}

/** Marks an import as failed. Its file is kept for IMPORT_FILE_DAYS, so that it can be retried. */
export async function giveUpImport(ctx: Context, id: string, failure: string): Promise<void> {
  if (await changeToFailed(ctx, id, failure)) publishEnd(ctx, 'import', id);
}

/** Loads the number of arrived parts by import. */
export const partsByImport = loader(async (ctx, ids: readonly string[]) => {
  const counted = await countParts(ctx, ids);
  return new Map(counted.map(({ id, count }) => [id, count]));
});
