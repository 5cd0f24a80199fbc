import { AppError, forbidden, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { Page, PageArgs } from '@loyalty/platform/database/pages';
import { type FaultyRows, listFaultyRows } from '@loyalty/platform/imports/faulty-rows.service';
import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import { CUSTOM, field, type LabelledField, labelled } from '@loyalty/platform/imports/import-fields';
import * as files from '@loyalty/platform/imports/import-files.service';
import { type ImportPreview, previewRows } from '@loyalty/platform/imports/import-preview';
import { watchImport } from '@loyalty/platform/imports/import-progress';
import * as imports from '@loyalty/platform/imports/imports.service';
import type { Import } from '@loyalty/platform/imports/imports.store';
import type { ImportKind } from '#generated/schema';
import { activeCustomFields } from '../fields/custom-fields.service.ts';
import type { CustomFieldType } from '../fields/custom-values.ts';
import { importKinds } from './import-kinds.ts';

const definitionOf = ({ kind }: Import): ImportDefinition => importKinds[kind as ImportKind];

/** Whether the caller may write imports of this kind, or read them. */
function isAllowed({ caller }: Context, { scope }: ImportDefinition, what: 'read' | 'write'): boolean {
  const enough = ['*', 'imports:write', `${scope}:write`, ...(what === 'read' ? [`${scope}:read`] : [])];
  return enough.some((each) => caller.scopes.includes(each));
}

function permit(ctx: Context, definition: ImportDefinition): void {
  if (isAllowed(ctx, definition, 'write')) return;
  throw forbidden('SCOPE_MISSING', `This needs the scope imports:write or ${definition.scope}:write.`);
}

/**
 * Returns one import; imports of kinds that the caller may not read are not found.
 *
 * @throws AppError IMPORT_NOT_FOUND (404)
 */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  const job = await imports.getImport(ctx, id);
  if (!isAllowed(ctx, definitionOf(job), 'read')) throw notFound('import', id);
  return job;
}

/**
 * Returns one import for a caller who may write its kind.
 *
 * @throws AppError IMPORT_NOT_FOUND (404), SCOPE_MISSING (403)
 */
async function getImportToWrite(ctx: Context, id: string): Promise<Import> {
  const job = await getImport(ctx, id);
  permit(ctx, definitionOf(job));
  return job;
}

/** Returns one import; null if there is none that the caller may read, or it is of another kind. */
export async function findImport(
  ctx: Context,
  id: string,
  kind: ImportKind | null | undefined,
): Promise<Import | null> {
  try {
    const job = await getImport(ctx, id);
    return kind && job.kind !== kind ? null : job;
  } catch (error) {
    if (error instanceof AppError && error.code === 'IMPORT_NOT_FOUND') return null;
    throw error;
  }
}

/**
 * Returns imports of the kinds that the caller may read, newest first. @throws AppError VALIDATION_FAILED
 * (400)
 */
export async function listImports(
  ctx: Context,
  args: PageArgs & { readonly kind?: ImportKind | null | undefined },
): Promise<Page<Import>> {
  const definitions = args.kind ? [importKinds[args.kind]] : Object.values(importKinds);
  const allowed = definitions.filter((definition) => isAllowed(ctx, definition, 'read'));
  return imports.listImports(
    ctx,
    args,
    allowed.map(({ kind }) => kind),
  );
}

/**
 * Opens an import; its file follows in parts.
 *
 * @throws AppError SCOPE_MISSING (403), VALIDATION_FAILED (400) naming the mapping
 * @remarks Source: requirements L-IMP-01, L-IMP-02, L-ORD-05, L-CAT-04
 */
export async function createImport(
  ctx: Context,
  kind: ImportKind,
  input: imports.NewImport,
): Promise<Import> {
  permit(ctx, importKinds[kind]);
  return imports.createImport(ctx, importKinds[kind], input);
}

/** Adds a part of the file. @throws AppError like getImportToWrite and `appendImport` of the platform */
export async function appendImport(
  ctx: Context,
  id: string,
  part: number,
  data: string,
  replaces = true,
): Promise<Import> {
  return files.appendImport(ctx, await getImportToWrite(ctx, id), part, data, replaces);
}

/**
 * Returns the result that an import would have for the first rows that have arrived. Writes nothing.
 *
 * @throws AppError like getImportToWrite and `previewRows` of the platform
 */
export async function previewImport(ctx: Context, id: string, rows: number): Promise<ImportPreview> {
  const job = await getImportToWrite(ctx, id);
  return previewRows(ctx, definitionOf(job), job, rows);
}

/** Replaces the mapping. @throws AppError like getImportToWrite and `remapImport` of the platform */
export async function remapImport(
  ctx: Context,
  id: string,
  mapping: Readonly<Record<string, unknown>>,
): Promise<Import> {
  const job = await getImportToWrite(ctx, id);
  return imports.remapImport(ctx, definitionOf(job), job, mapping);
}

/**
 * Returns the fields that columns of a kind of file may fill: those of its definition, then custom ones of
 * the workspace.
 *
 * @throws AppError SCOPE_MISSING (403)
 */
export async function importFields(ctx: Context, kind: ImportKind): Promise<LabelledField[]> {
  const definition = importKinds[kind];
  permit(ctx, definition);
  const { fields, takesCustom } = definition.fields;
  const custom = takesCustom ? await activeCustomFields(ctx) : [];
  return [...fields, ...custom.map(customField)];
}

type CustomField = Awaited<ReturnType<typeof activeCustomFields>>[number];

const customField = ({ key, label, type, options }: CustomField): LabelledField =>
  labelled(field(`${CUSTOM}${key}`), label, options[0] ?? EXAMPLES[type] ?? '');

/** Examples by type, for fields without options. */
const EXAMPLES: Readonly<Partial<Record<CustomFieldType, string>>> = {
  TEXT: 'Blue',
  NUMBER: '42',
  DATE: '1990-12-31',
  BOOLEAN: 'true',
};

/**
 * Queues an import whose parts have all arrived, and starts the job of its kind.
 *
 * @param parts - number of parts of the file
 * @param sha256 - hash of the file: a repeated call with another hash is refused
 * @throws AppError like getImportToWrite and `startImport` of the platform
 */
export async function startImport(
  ctx: Context,
  id: string,
  parts: number,
  sha256: string | null = null,
): Promise<Import> {
  const job = await getImportToWrite(ctx, id);
  return files.startImport(ctx, definitionOf(job), job, { parts, sha256 });
}

/**
 * Returns the rows that failed, as they are in the file.
 *
 * @throws AppError like getImportToWrite and `listFaultyRows` of the platform
 */
export async function importFaultyRows(
  ctx: Context,
  id: string,
  args: Parameters<typeof listFaultyRows>[2],
): Promise<FaultyRows> {
  return listFaultyRows(ctx, (await getImportToWrite(ctx, id)).id, args);
}

/**
 * Restarts an import: after the last written row, or with the rows that failed.
 *
 * @throws AppError like getImportToWrite; IMPORT_NOT_RETRYABLE (409)
 */
export async function retryImport(ctx: Context, id: string): Promise<Import> {
  const job = await getImportToWrite(ctx, id);
  return imports.retryImport(ctx, definitionOf(job), job);
}

/** Stops an import; written rows stay. @throws AppError like getImportToWrite; IMPORT_FINISHED (409) */
export async function cancelImport(ctx: Context, id: string): Promise<Import> {
  return imports.cancelImport(ctx, await getImportToWrite(ctx, id));
}

/**
 * Yields the import now and after every change, until it has ended. @throws AppError IMPORT_NOT_FOUND (404)
 */
export async function watchImportProgress(ctx: Context, id: string): Promise<AsyncIterableIterator<Import>> {
  await getImport(ctx, id);
  return watchImport(ctx, id);
}
