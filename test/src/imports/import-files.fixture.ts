import { importKinds } from '@loyalty/loyalty-subgraph/imports/import-kinds';
import {
  appendImport,
  createImport,
  getImport,
  startImport,
} from '@loyalty/loyalty-subgraph/imports/imports.service';
import type { Context } from '@loyalty/platform/context';
import type { Import, OnDuplicate } from '@loyalty/platform/imports/imports.store';
import { tasks } from '@loyalty/worker/tasks';

const PART_BYTES = 150_000;

export type ImportKind = keyof typeof importKinds;
type File = string | readonly object[];

/** Makes an import and uploads its file, CSV or JSON rows. Its job is queued but not run. */
export async function queuedImport(
  ctx: Context,
  kind: ImportKind,
  file: File,
  onDuplicate: OnDuplicate = 'UPDATE',
): Promise<string> {
  const isCsv = typeof file === 'string';
  const text = isCsv ? file : file.map((row) => JSON.stringify(row)).join('\n');
  const bytes = Buffer.from(text);
  const { id } = await createImport(ctx, kind, { format: isCsv ? 'CSV' : 'NDJSON', onDuplicate });
  let parts = 0;
  for (let at = 0; at < bytes.length; at += PART_BYTES, parts += 1)
    await appendImport(ctx, id, parts, bytes.subarray(at, at + PART_BYTES).toString('base64'));
  await startImport(ctx, id, parts);
  return id;
}

/** Runs the job of a queued import, as a worker does. */
export async function runQueued(ctx: Context, kind: ImportKind, importId: string): Promise<Import> {
  await tasks.find(({ name }) => name === importKinds[kind].job)!.run(ctx, { importId });
  return getImport(ctx, importId);
}

/** Makes an import and runs it to its end. */
export const imported = async (
  ctx: Context,
  kind: ImportKind,
  file: File,
  onDuplicate?: OnDuplicate,
): Promise<Import> => runQueued(ctx, kind, await queuedImport(ctx, kind, file, onDuplicate));
