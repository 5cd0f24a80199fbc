import type { Context } from '@loyalty/platform/context';
import { type ImportPreview, previewRows } from '@loyalty/platform/imports/import-preview';
import { getImportToWrite } from '@loyalty/platform/imports/imports.service';
import { memberReader } from '../member-import/member-import.service.ts';

const PREVIEW = 'query ImportPreview($id: ID!, $rows: Int!) { _importPreview(id: $id, rows: $rows) }';

/**
 * What an import would make of the first rows; the subgraph that owns its kind reads them.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), IMPORT_PART_MISSING, IMPORT_FINISHED (409), VALIDATION_FAILED
 * (400)
 */
export async function previewImport(ctx: Context, id: string, rows: number): Promise<ImportPreview> {
  const job = await getImportToWrite(ctx, id);
  if (job.kind === 'MEMBERS') return previewRows(ctx, job, rows, memberReader(ctx));
  const question = { query: PREVIEW, variables: { id, rows } };
  const answer = await ctx.services.peers.ask(ctx, 'commerce', question);
  return answer['_importPreview'] as ImportPreview;
}
