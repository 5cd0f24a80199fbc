import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { DataImportKind } from './import-fields.ts';

/** A preview that may be confirmed. */
export interface Preview {
  readonly id: string;
  /** The person who previewed it, with any of their keys. */
  readonly administrator: string;
  readonly digest: Buffer;
  readonly issues: number;
  /** New rows at the time of the preview. */
  readonly inserted: number;
  readonly expiresAt: Date;
  /** The batch that the confirmation made; null before. */
  readonly batchId: string | null;
}

export interface DataImportBatch {
  readonly id: string;
  readonly kind: DataImportKind;
  readonly inserted: number;
  readonly skipped: number;
  /** In credits. */
  readonly charged: number;
  readonly actor: string;
  readonly createdAt: Date;
}

const previewColumns = `p.id, p.administrator, p.digest, p.issues, p.inserted, p.expires_at, p.batch_id`;

export async function insertPreview(
  ctx: Context,
  preview: Omit<Preview, 'batchId'> & { readonly tokenHash: string },
): Promise<void> {
  const { id, tokenHash, administrator, digest, issues, inserted, expiresAt } = preview;
  await ctx.sql.query(
    `INSERT INTO model.data_import_previews
       (workspace_id, mode, created_at, id, token_hash, administrator, digest, issues, inserted, expires_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...scopeOf(ctx), ctx.clock.now(), id, tokenHash, administrator, digest, issues, inserted, expiresAt],
  );
}

export async function findPreview(ctx: Context, tokenHashes: readonly string[]): Promise<Preview | null> {
  const [row] = await ctx.sql.query<Preview>(
    `SELECT ${previewColumns} FROM model.data_import_previews AS p
      WHERE ${inScope('p')} AND p.token_hash = ANY($3::text[])`,
    [...scopeOf(ctx), tokenHashes],
  );
  return row ?? null;
}

/**
 * Returns the preview and locks it until the transaction ends: of two concurrent calls that confirm it, one
 * waits.
 */
export async function lockPreview(tx: Context, id: string): Promise<Preview | null> {
  const [row] = await tx.sql.query<Preview>(
    `SELECT ${previewColumns} FROM model.data_import_previews AS p
      WHERE ${inScope('p')} AND p.id = $3 FOR NO KEY UPDATE`,
    [...scopeOf(tx), id],
  );
  return row ?? null;
}

/** Inserts a batch and closes its preview, which is locked by the caller. */
export async function insertBatch(tx: Context, batch: DataImportBatch, previewId: string): Promise<void> {
  const { id, kind, inserted, skipped, charged, actor, createdAt } = batch;
  await tx.sql.query(
    `WITH made AS (
       INSERT INTO model.data_import_batches
         (workspace_id, mode, id, kind, inserted, skipped, charged, actor, created_at)
       VALUES ($1, $2::platform."Mode", $3, $4::model."DataImportKind", $5, $6, $7, $8, $9)
       RETURNING id)
     UPDATE model.data_import_previews AS p SET batch_id = made.id FROM made
      WHERE ${inScope('p')} AND p.id = $10`,
    [...scopeOf(tx), id, kind, inserted, skipped, charged, actor, createdAt, previewId],
  );
}

const batch = columns('id', 'kind', 'inserted', 'skipped', 'charged', 'actor', 'createdAt');

type BatchRow = Omit<DataImportBatch, 'charged'> & { readonly charged: bigint };

const batchOf = (row: BatchRow): DataImportBatch => ({ ...row, charged: Number(row.charged) });

export async function findBatch(ctx: Context, id: string): Promise<DataImportBatch | null> {
  const row = await ctx.prisma.dataImportBatch.findFirst({ where: { id }, select: batch });
  return row && batchOf(row);
}

export async function latestBatches(ctx: Context, count: number): Promise<DataImportBatch[]> {
  const newest = { orderBy: { id: 'desc' }, take: count } as const;
  const rows = await ctx.prisma.dataImportBatch.findMany({ where: {}, select: batch, ...newest });
  return rows.map(batchOf);
}

export const isActivated = async (ctx: Context): Promise<boolean> =>
  (await ctx.prisma.dataActivation.findFirst({ where: {}, select: columns('createdAt') })) !== null;

/** Returns false if nothing changed. */
export async function changeActivation(tx: Context, activate: boolean): Promise<boolean> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  const { count } = activate
    ? await tx.prisma.dataActivation.createMany({ data: [made], skipDuplicates: true })
    : await tx.prisma.dataActivation.deleteMany({ where: {} });
  return count > 0;
}
