import type { Context } from '../context.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import type { Page, PageArgs } from '../loading/pages.ts';
import { pageRequest } from '../loading/pages.ts';
import { newId } from '../values/ids.ts';
import { checkMapping, fieldSets } from './import-fields.ts';
import type { Issue } from './import-layout.ts';
import { deleteParts } from './import-parts.store.ts';
import { tellProgress, watchImport } from './import-progress.ts';
import {
  changeToCancelled,
  changeToFailed,
  changeToRetried,
  findImport,
  firstIssues,
  type Import,
  type ImportFormat,
  type ImportKind,
  importsPage,
  insertImport,
  type OnDuplicate,
} from './imports.store.ts';

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
 * Queues an import that was given up once more; `tell` publishes what its job waits for. It goes on behind
 * the last row that was kept.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_NOT_RETRYABLE (409)
 */
export async function retryImport(
  ctx: Context,
  id: string,
  tell: (tx: Context, job: Import) => Promise<void>,
): Promise<Import> {
  await getImportToWrite(ctx, id);
  return ctx.transaction(async (tx) => {
    const job = await changeToRetried(tx, id);
    if (!job)
      throw conflict(
        'IMPORT_NOT_RETRYABLE',
        'Only an import that failed and whose file is still kept can be retried. Create another import.',
      );
    await tell(tx, job);
    return job;
  });
}

/** Gives an import up: its file is kept for seven days, so that it can be retried. */
export async function giveUpImport(ctx: Context, id: string, failure: string): Promise<void> {
  if (await changeToFailed(ctx, id, failure)) tellProgress(ctx, id, true);
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
