import type { Context } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/events';
import * as imports from '@loyalty/platform/imports/imports.service';
import type { Import, ImportKind } from '@loyalty/platform/imports/imports.store';
import { catalogImportRequested, memberImportRequested, orderImportRequested } from './imports.events.ts';

const requests = {
  MEMBERS: memberImportRequested,
  ORDERS: orderImportRequested,
  CATALOG: catalogImportRequested,
} as const;

/**
 * Queues an import whose parts have all arrived, and tells the subgraph that runs its kind.
 *
 * @param parts - how many parts the file has
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_PART_MISSING, IMPORT_STARTED (409), FILE_TOO_LARGE (413)
 * @remarks Source: requirements L-IMP-01, L-ORD-05, L-CAT-04
 */
export const startImport = (ctx: Context, id: string, parts: number): Promise<Import> =>
  imports.startImport(ctx, id, parts, (tx, job) => publish(tx, requests[job.kind], { importId: id }));

/** One import; null when there is none that the caller may read, or it is of another kind. */
export async function findImport(
  ctx: Context,
  id: string,
  kind: ImportKind | null | undefined,
): Promise<Import | null> {
  try {
    const job = await imports.getImport(ctx, id);
    return kind && job.kind !== kind ? null : job;
  } catch (error) {
    if (error instanceof AppError && error.code === 'IMPORT_NOT_FOUND') return null;
    throw error;
  }
}
