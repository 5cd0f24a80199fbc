import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { StateRow } from '../standard-model/state-row.ts';
import { STATE_FIELDS } from './state-columns.ts';

export interface SavedStateRow extends StateRow {
  readonly memberId: string;
  readonly modelVersion: string;
  readonly jobId: string | null;
  readonly sourceCutoff: Date;
  readonly updatedAt: Date;
}

const fields = `member_id, ${STATE_FIELDS}, model_version, job_id, source_cutoff, updated_at`;

/** Returns the latest states of members; members without a state are left out. */
export const statesOf = (ctx: Context, memberIds: readonly string[]): Promise<SavedStateRow[]> =>
  ctx.sql.query<SavedStateRow>(
    `SELECT ${fields} FROM model.member_states
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );

/** Scores from 0 to 1 of a member's latest state; null if there is none. */
export interface SavedScores {
  readonly memberId: string;
  readonly purchase: number | null;
  readonly longGap: number | null;
  readonly cartRemoval: number | null;
  readonly overdueCycles: number | null;
}

/** Returns the scores of members; members without a state are left out. */
export const savedScores = (ctx: Context, memberIds: readonly string[]): Promise<SavedScores[]> =>
  ctx.sql.query<SavedScores>(
    `SELECT member_id, purchase, long_gap, cart_removal, overdue_cycles
       FROM model.member_states
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );

/** Returns the next latest states, sorted by member. */
export const statesAfter = (
  ctx: Context,
  afterMemberId: string | null,
  limit: number,
): Promise<SavedStateRow[]> =>
  ctx.sql.query<SavedStateRow>(
    `SELECT ${fields} FROM model.member_states
      WHERE ${inScope()} AND member_id > $3
      ORDER BY member_id LIMIT $4`,
    [...scopeOf(ctx), afterMemberId ?? NO_ID, limit],
  );
