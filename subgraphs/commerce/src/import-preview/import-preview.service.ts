import type { Context } from '@loyalty/platform/context';
import { type ImportPreview, previewRows } from '@loyalty/platform/imports/import-preview';
import { getImport } from '@loyalty/platform/imports/imports.service';
import { readProduct } from '../catalog/catalog-import/catalog-import.rows.ts';
import { readOrder } from '../orders/order-import/order-import.rows.ts';

/**
 * What an import of orders or products would make of its first rows.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_PART_MISSING, IMPORT_FINISHED (409), VALIDATION_FAILED
 * (400)
 */
export async function previewImport(ctx: Context, id: string, rows: number): Promise<ImportPreview> {
  const job = await getImport(ctx, id);
  return previewRows(ctx, job, rows, job.kind === 'ORDERS' ? readOrder : readProduct);
}
