import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { SignalStatus } from '../standard-model/standard-state.ts';
import type { StateRow } from '../standard-model/state-row.ts';
import {
  STATE_ASSIGNMENTS,
  STATE_COLUMNS,
  stateArrays,
  stateParameters,
  stateValues,
} from './state-columns.ts';

/** One answered call about a member, to be saved. */
export interface NewAnalysis {
  readonly id: string;
  readonly capability: string;
  readonly memberId: string;
  readonly status: SignalStatus;
  /** `{envelope, data}`, as the caller received it. */
  readonly result: object;
  /** Credits that were charged for it. */
  readonly credits: number;
  readonly sourceCutoff: Date;
  readonly modelVersion: string;
  /** The id of the caller. */
  readonly actor: string;
  /** Set if the analysis holds all signals of the member: it becomes the member's latest state. */
  readonly stateRow: StateRow | null;
}

/**
 * Adds to the history and replaces latest states in one statement. Of several states of one member the newest
 * is kept. Rows are locked in the order of members, so that two of these statements cannot deadlock.
 */
export async function insertAnalyses(ctx: Context, analyses: readonly NewAnalysis[]): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `WITH answers AS MATERIALIZED (
       SELECT * FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::jsonb[], $9::int4[],
                            $10::timestamptz[], $11::text[], $12::text[])
           WITH ORDINALITY
           AS a (id, capability, member_id, status, result, credits, source_cutoff, model_version, actor, n)
     ), kept AS (
       INSERT INTO model.analyses
         (id, workspace_id, mode, capability, member_id, status, result, credits, source_cutoff,
          model_version, actor, created_at)
       SELECT id, $1, $2::platform."Mode", capability, member_id, status::model."AnalysisStatus", result,
              credits, source_cutoff, model_version, actor, $3
         FROM answers
     )
     INSERT INTO model.member_states AS old
       (workspace_id, mode, member_id, ${STATE_COLUMNS}, model_version, source_cutoff, updated_at)
     SELECT DISTINCT ON (member_id) $1, $2::platform."Mode", member_id, ${stateValues('s')}, model_version,
            source_cutoff, $3::timestamptz
       FROM answers
       JOIN unnest(${stateArrays(13)}) WITH ORDINALITY AS s (${STATE_COLUMNS}, n) USING (n)
      WHERE s.status IS NOT NULL
      ORDER BY member_id, source_cutoff DESC
     ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
        SET ${STATE_ASSIGNMENTS}, model_version = excluded.model_version, job_id = excluded.job_id,
            source_cutoff = excluded.source_cutoff, updated_at = excluded.updated_at
      WHERE old.source_cutoff <= excluded.source_cutoff`,
    [
      workspaceId,
      mode,
      ctx.clock.now(),
      ...arraysOf(analyses, 'id', 'capability', 'memberId', 'status'),
      analyses.map(({ result }) => JSON.stringify(result)),
      ...arraysOf(analyses, 'credits', 'sourceCutoff', 'modelVersion', 'actor'),
      ...stateParameters(analyses.map(({ stateRow }) => stateRow)),
    ],
  );
}

/** A saved analysis. */
export type Analysis = Omit<NewAnalysis, 'stateRow' | 'actor' | 'result'> & {
  readonly result: Record<string, unknown>;
  readonly createdAt: Date;
};

export async function analysesPage(
  ctx: Context,
  memberId: string,
  request: PageRequest,
): Promise<Page<Analysis>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Analysis>(
    `SELECT id, member_id, capability, status, result, credits, model_version, source_cutoff, created_at
       FROM model.analyses
      WHERE ${inScope()} AND member_id = $3
        AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...scopeOf(ctx), memberId, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.analyses
        WHERE ${inScope()} AND member_id = $3`,
      [...scopeOf(ctx), memberId],
    );
    return counted?.total ?? 0;
  });
}

/** Returns whether the analysis exists and is of this member. */
export async function analysisExists(ctx: Context, id: string, memberId: string): Promise<boolean> {
  const found = await ctx.sql.query(
    `SELECT FROM model.analyses
      WHERE ${inScope()} AND id = $3 AND member_id = $4`,
    [...scopeOf(ctx), id, memberId],
  );
  return found.length > 0;
}
