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

// These functions know files and progress. Who may import what is asked by the noun `imports` of loyalty.

/** One import of the caller's workspace and mode. @throws AppError IMPORT_NOT_FOUND (404) */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  const job = await findImport(ctx, id);
  if (!job) throw notFound('import', id);
  return job;
}

/** Imports of these kinds, newest first. @throws AppError VALIDATION_FAILED (400) */
export const listImports = async (
  ctx: Context,
  args: PageArgs,
  kinds: readonly string[],
): Promise<Page<Import>> => importsPage(ctx, pageRequest(args), kinds);

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

/** A file to come. */
export interface NewImport {
  readonly format: ImportFormat;
  /** Field by the file's name of a column; columns that are named like fields need none. */
  readonly mapping?: Readonly<Record<string, unknown>> | null | undefined;
  /** For people; never a path. */
  readonly fileName?: string | null | undefined;
  /** Default: UPDATE. */
  readonly onDuplicate?: OnDuplicate | null | undefined;
  /** Of the file, where they are counted before they are sent. */
  readonly parts?: number | null | undefined;
}

function partsOf(parts: number | null | undefined): number | null {
  if (parts == null) return null;
  if (parts < 1 || parts > PARTS_MAX) throw invalid('parts', `must be between 1 and ${PARTS_MAX}`);
  return parts;
}

/**
 * Opens an import, whose file is to follow in parts.
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

/** The name without folders; null where nothing is left of it. */
function fileNameOf(fileName: string | null | undefined): string | null {
  const name = fileName?.split(/[\\/]/).at(-1)?.trim();
  return name ? checkText('fileName', name, FILE_NAME_LENGTH_MAX) : null;
}

/**
 * Takes another mapping for a file that was not started, whose first part has arrived.
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

/** Starts the job of an import whose file is complete, once the transaction commits. */
export const requestJob = (
  tx: Context,
  { requested }: ImportDefinition,
  { id, bytes }: Import,
): Promise<void> => publish(tx, requested, { importId: id, bytes: Number(bytes) });

/**
 * Stops an import that is not finished; what is written stays. Again it changes nothing. The file of one that
 * was started is kept as that of a failed one, so that it can be retried; another is deleted.
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
 * Queues an import once more. One that was given up or stopped continues after the last row that was written;
 * one that read its file processes the rows that failed again. No row is written twice.
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

/** Gives an import up: its file is kept for seven days, so that it can be retried. */
export async function giveUpImport(ctx: Context, id: string, failure: string): Promise<void> {
  if (await changeToFailed(ctx, id, failure)) publishEnd(ctx, 'import', id);
}

/** Parts that have arrived, by the import. */
export const partsByImport = loader(async (ctx, ids: readonly string[]) => {
  const counted = await countParts(ctx, ids);
  return new Map(counted.map(({ id, count }) => [id, count]));
});
