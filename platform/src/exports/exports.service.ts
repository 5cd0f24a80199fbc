import { conflict, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { type Page, type PageArgs, pageRequest } from '../database/pages.ts';
import { audit } from '../identity/audit.ts';
import { type LinkKind, signedUrl } from '../identity/signed-links.ts';
import { publishEnd } from '../subscriptions/publish-progress.ts';
import type { Snapshots } from '../subscriptions/snapshots.ts';
import { watchJob } from '../subscriptions/watch-job.ts';
import { publish } from '../work/events.ts';
import type { ExportDefinition, ExportKind } from './export-definition.ts';
import type { ExportFormat } from './export-text.ts';
import {
  changeToCancelled,
  changeToFailed,
  deleteParts,
  type Export,
  exportById,
  exportsPage,
  findExport,
  findPart,
  forgetFiles,
  insertExport,
  UNDER_WAY_MAX,
} from './exports.store.ts';

export type { Export };

const FILTER_CONTEXT = 'export.filter';
/** The noun of exports in events and live channels. */
export const EXPORT_NOUN = 'listExport';

/** Context in which a part of a file is sealed, so that no part can replace another. */
export const partContext = (id: string, part: number): string => `export.part:${id}:${part}`;

/**
 * Queues an export of a list. The audit log has one entry for it, however many rows the list has.
 *
 * @param conditions - filter of the list; absent and null fields are ignored
 * @throws AppError EXPORTS_UNDER_WAY (409), and errors of the list for a wrong filter
 */
export async function startExport<Filter>(
  ctx: Context,
  definition: ExportDefinition<Filter>,
  { format, conditions }: { readonly format: ExportFormat; readonly conditions: object | null | undefined },
): Promise<Export> {
  const { kind, searched = [] } = definition;
  const given = Object.entries(conditions ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const filter = definition.filter.parse(Object.fromEntries(given));
  const total = await (await definition.open(ctx, filter)).count();
  const text = JSON.stringify(filter);
  const filterSealed = await ctx.services.keyring.seal(ctx.scope.workspaceId, text, FILTER_CONTEXT);
  return ctx.transaction(async (tx) => {
    const id = newId(tx.clock);
    const queued = await insertExport(tx, { id, kind, format, filterSealed, total });
    if (!queued) {
      throw conflict(
        'EXPORTS_UNDER_WAY',
        `${UNDER_WAY_MAX} exports of the workspace are under way. Wait for one of them, or cancel it.`,
      );
    }
    const shown = given.filter(([name]) => !(searched as readonly string[]).includes(name));
    const hidden = given.filter(([name]) => (searched as readonly string[]).includes(name));
    const after = {
      ...{ kind, format, rows: total },
      filter: Object.fromEntries([...shown, ...hidden.map(([name]) => [name, '***'])]),
    };
    await audit(tx, { action: 'startExport', resourceType: 'ListExport', resourceId: id, after });
    await publish(tx, definition.requested, { listExportId: id, rows: total });
    return queued;
  });
}

/** Loads an export; null if it does not exist or has expired. */
export const loadExport = (ctx: Context, id: string): Promise<Export | null> => ctx.load(exportById, id);

/** Returns exports, newest first. @throws AppError VALIDATION_FAILED (400) */
export const listExports = async (ctx: Context, args: PageArgs): Promise<Page<Export>> =>
  exportsPage(ctx, pageRequest(args));

/**
 * Watches an export: its state now and after every change, until it has ended.
 *
 * @throws AppError LIST_EXPORT_NOT_FOUND (404)
 */
export const watchExport = (ctx: Context, id: string): Promise<Snapshots<Export>> =>
  watchJob(ctx, id, { noun: EXPORT_NOUN, find: findExport });

/**
 * Cancels an export that has not ended, and deletes the written parts of its file. Has no effect on a
 * cancelled export.
 *
 * @throws AppError LIST_EXPORT_NOT_FOUND (404), LIST_EXPORT_FINISHED (409)
 */
export async function cancelExport(ctx: Context, id: string): Promise<Export> {
  return ctx.transaction(async (tx) => {
    const cancelled = await changeToCancelled(tx, id);
    if (cancelled) {
      await deleteParts(tx, id);
      publishEnd(tx, EXPORT_NOUN, id);
      return cancelled;
    }
    const found = await findExport(tx, id);
    if (!found) throw notFound('list export', id);
    if (found.status === 'CANCELLED') return found;
    throw conflict('LIST_EXPORT_FINISHED', 'This export has ended and cannot be cancelled.');
  });
}

/** Marks an export as failed and deletes the written parts of its file. */
export async function giveUpExport(ctx: Context, id: string, failure: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!(await changeToFailed(tx, id, failure))) return;
    await deleteParts(tx, id);
    publishEnd(tx, EXPORT_NOUN, id);
  });
}

/**
 * Deletes the contents of all exports of a kind, because they may be about an erased person. Finished files
 * expire at once; exports in progress fail.
 */
export async function forgetExports(ctx: Context, kind: ExportKind): Promise<void> {
  await ctx.transaction(async (tx) => {
    const failed = await forgetFiles(
      tx,
      kind,
      'A member was erased while the file was written. Start again.',
    );
    for (const id of failed) publishEnd(tx, EXPORT_NOUN, id);
  });
}

/** Returns the filter of the list as it was given; null after it was deleted. */
export async function filterOf(
  ctx: Context,
  { filterSealed }: Export,
): Promise<Record<string, unknown> | null> {
  if (!filterSealed) return null;
  const text = await ctx.services.keyring.open(ctx.scope.workspaceId, filterSealed, FILTER_CONTEXT);
  return JSON.parse(text) as Record<string, unknown>;
}

const nouns: Readonly<Record<ExportKind, string>> = {
  MEMBERS: 'members',
  POINTS: 'points',
  ORDERS: 'orders',
  COUPONS: 'coupon-codes',
  AUDIT: 'audit-log',
};

/** Name of the downloaded file: `members-2026-11-28.csv`. */
export const fileNameOf = ({ kind, format, createdAt }: Export): string =>
  `${nouns[kind]}-${createdAt.toISOString().slice(0, 10)}.${format === 'CSV' ? 'csv' : 'jsonl'}`;

/** The kind of signed links to export files. */
export const exportLinks: LinkKind = { path: 'downloads', context: 'export.link' };

/** Returns a link to the file; null if there is no file. */
export const downloadUrlOf = async (ctx: Context, found: Export): Promise<string | null> =>
  found.status === 'COMPLETED' ? signedUrl(ctx, exportLinks, found.id) : null;

/** Reads the text of a finished file, part by part. Fails if the file is deleted meanwhile. */
export async function* readFile(ctx: Context, { id, parts }: Export): AsyncGenerator<string> {
  for (let part = 0; part < parts; part += 1) {
    const sealed = await findPart(ctx, id, part);
    if (!sealed) throw new Error(`Part ${part} of export ${id} is gone.`);
    const text = await ctx.services.keyring.open(ctx.scope.workspaceId, sealed, partContext(id, part));
    if (text) yield text;
  }
}
