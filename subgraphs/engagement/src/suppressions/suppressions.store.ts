import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loaders';

export type SuppressionReason = 'UNSUBSCRIBED' | 'BOUNCED' | 'COMPLAINED';

/** Why, and since when, an address must not be mailed. */
export interface SuppressionState {
  readonly isUnsubscribed: boolean;
  readonly reasons: readonly SuppressionReason[];
  /** When the first of the reasons arose; null where there is none. */
  readonly since: Date | null;
}

interface Row {
  readonly emailIndex: string;
  readonly reason: SuppressionReason;
  readonly createdAt: Date;
}

export const suppressionByIndex = loader(async (ctx, indexes: readonly string[]) => {
  const byIndex = Map.groupBy(await rowsOf(ctx, indexes), ({ emailIndex }) => emailIndex);
  return new Map([...byIndex].map(([emailIndex, rows]) => [emailIndex, summary(rows)]));
});

/** Of one address, which may be stored under any of several indexes. */
export async function suppressionOf(ctx: Context, indexes: readonly string[]): Promise<SuppressionState> {
  return summary(await rowsOf(ctx, indexes));
}

/** False when the address is unsubscribed already, under whichever of its indexes. */
export async function insertUnsubscribed(
  ctx: Context,
  id: string,
  index: string,
  indexes: readonly string[],
): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const inserted = await ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     SELECT $1, $2, $3::platform."Mode", $4, 'UNSUBSCRIBED', $6
      WHERE NOT EXISTS (
            SELECT FROM engagement.suppressions
             WHERE workspace_id = $2 AND mode = $3::platform."Mode" AND email_index = ANY($5::text[])
               AND reason = 'UNSUBSCRIBED')
     ON CONFLICT (workspace_id, mode, email_index, reason) DO NOTHING
     RETURNING id`,
    [id, workspaceId, mode, index, indexes, ctx.clock.now()],
  );
  return inserted.length > 0;
}

async function rowsOf(ctx: Context, indexes: readonly string[]): Promise<Row[]> {
  const { workspaceId, mode } = ctx.scope;
  return ctx.sql.query<Row>(
    `SELECT email_index AS "emailIndex", reason, created_at AS "createdAt"
       FROM engagement.suppressions
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND email_index = ANY($3::text[])
      ORDER BY created_at, reason`,
    [workspaceId, mode, indexes],
  );
}

function summary(rows: readonly Row[]): SuppressionState {
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  return { reasons, isUnsubscribed: reasons.includes('UNSUBSCRIBED'), since: rows[0]?.createdAt ?? null };
}
