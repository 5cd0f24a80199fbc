import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { SignalStatus } from '../../scoring/standard-model/standard-state.ts';

/** One answered call about a member, to be saved. */
export interface NewAnalysis {
  readonly id: string;
  readonly capability: string;
  readonly memberId: string;
  readonly status: SignalStatus;
  /** `{envelope, data}`, as the caller received it. */
  readonly result: object;
  /** What was charged for it. */
  readonly credits: number;
  readonly sourceCutoff: Date;
  readonly modelVersion: string;
  /** The caller. */
  readonly actor: string;
  /** It holds all signals of the member, so it is the member's latest state. */
  readonly isState: boolean;
}

/**
 * Adds to the history and replaces latest states in one statement. Of several states of one member the newest
 * stays; rows are locked in the order of members, so that two of these statements never wait for each other.
 */
export async function insertAnalyses(ctx: Context, analyses: readonly NewAnalysis[]): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `WITH answers AS MATERIALIZED (
       SELECT * FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::jsonb[], $9::int4[],
                            $10::timestamptz[], $11::text[], $12::text[], $13::bool[])
           AS a (id, capability, member_id, status, result, credits, source_cutoff, model_version, actor,
                 is_state)
     ), kept AS (
       INSERT INTO model.analyses
         (id, workspace_id, mode, capability, member_id, status, result, credits, source_cutoff,
          model_version, actor, created_at)
       SELECT id, $1, $2::platform."Mode", capability, member_id, status::model."AnalysisStatus", result,
              credits, source_cutoff, model_version, actor, $3
         FROM answers
     )
     INSERT INTO model.member_states AS old
       (workspace_id, mode, member_id, status, state, source_cutoff, updated_at)
     SELECT DISTINCT ON (member_id) $1, $2::platform."Mode", member_id, status::model."AnalysisStatus",
            result, source_cutoff, $3::timestamptz
       FROM answers WHERE is_state
      ORDER BY member_id, source_cutoff DESC
     ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
        SET status = excluded.status, state = excluded.state, job_id = excluded.job_id,
            source_cutoff = excluded.source_cutoff, updated_at = excluded.updated_at
      WHERE old.source_cutoff <= excluded.source_cutoff`,
    [
      workspaceId,
      mode,
      ctx.clock.now(),
      analyses.map(({ id }) => id),
      analyses.map(({ capability }) => capability),
      analyses.map(({ memberId }) => memberId),
      analyses.map(({ status }) => status),
      analyses.map(({ result }) => JSON.stringify(result)),
      analyses.map(({ credits }) => credits),
      analyses.map(({ sourceCutoff }) => sourceCutoff),
      analyses.map(({ modelVersion }) => modelVersion),
      analyses.map(({ actor }) => actor),
      analyses.map(({ isState }) => isState),
    ],
  );
}

/** A saved analysis. */
export type Analysis = Omit<NewAnalysis, 'isState' | 'actor' | 'result'> & {
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
    `SELECT id, member_id AS "memberId", capability, status, result, credits,
            model_version AS "modelVersion", source_cutoff AS "sourceCutoff", created_at AS "createdAt"
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

/** Whether there is such an analysis of the member. */
export async function analysisExists(ctx: Context, id: string, memberId: string): Promise<boolean> {
  const found = await ctx.sql.query(
    `SELECT FROM model.analyses
      WHERE ${inScope()} AND id = $3 AND member_id = $4`,
    [...scopeOf(ctx), id, memberId],
  );
  return found.length > 0;
}
