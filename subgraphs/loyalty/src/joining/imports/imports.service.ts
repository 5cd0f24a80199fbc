import type { Context } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';
import * as files from '@loyalty/platform/imports/import-files.service';
import * as imports from '@loyalty/platform/imports/imports.service';
import type { Import, ImportKind } from '@loyalty/platform/imports/imports.store';
import { publish } from '@loyalty/platform/outbox/events';
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
 * @param sha256 - of the file: started again with another one it is refused
 * @throws AppError as `startImport` of the platform
 * @remarks Source: requirements L-IMP-01, L-ORD-05, L-CAT-04
 */
export const startImport = (
  ctx: Context,
  id: string,
  parts: number,
  sha256: string | null = null,
): Promise<Import> => files.startImport(ctx, id, { parts, sha256 }, request);

/**
 * Starts an import that was given up again, behind the last row that was kept.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_NOT_RETRYABLE (409)
 */
export const retryImport = (ctx: Context, id: string): Promise<Import> =>
  imports.retryImport(ctx, id, request);

const request = (tx: Context, { id, kind, bytes }: Import): Promise<void> =>
  publish(tx, requests[kind], { importId: id, bytes: Number(bytes) });

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
