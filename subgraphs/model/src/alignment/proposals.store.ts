import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { AlignmentTargetName } from '../versions/model-version.ts';

const WAITS = `v.kind = 'ALIGNMENT' AND v.source = 'OWN_HISTORY' AND v.status = 'EVALUATED'`;

/** Returns the newest proposal of a target and horizon that waits for its review. */
export async function waitingProposalId(
  tx: Context,
  target: AlignmentTargetName,
  horizon: number,
): Promise<string | null> {
  const [row] = await tx.sql.query<{ id: string }>(
    `SELECT v.id FROM model.model_versions AS v
      WHERE ${inScope('v')} AND ${WAITS} AND v.subject = $3::model."VersionSubject" AND v.horizon = $4
      ORDER BY v.id DESC LIMIT 1`,
    [...scopeOf(tx), target, horizon],
  );
  return row?.id ?? null;
}

/** A proposal or alignment that needs the attention of a person. */
export interface AlignmentNotice {
  readonly kind: 'PROPOSAL_WAITS' | 'PUBLISHED_STALE';
  readonly versionId: string;
  readonly since: Date;
}

/** Returns proposals that wait for a review, and stale alignments in use, oldest first. */
export const findNotices = (ctx: Context): Promise<AlignmentNotice[]> =>
  ctx.sql.query<AlignmentNotice>(
    `SELECT 'PROPOSAL_WAITS' AS kind, v.id AS version_id, v.finished_at AS since
       FROM model.model_versions AS v WHERE ${inScope('v')} AND ${WAITS}
      UNION ALL
     SELECT 'PUBLISHED_STALE', v.id, c.stale_since
       FROM model.alignment_checks AS c
       JOIN model.model_versions AS v
         ON v.workspace_id = c.workspace_id AND v.mode = c.mode AND v.id = c.version_id
      WHERE ${inScope('c')} AND c.is_stale AND v.status = 'PUBLISHED'
      ORDER BY since, version_id LIMIT 20`,
    scopeOf(ctx),
  );

/** The schedule of a target's proposals. */
export interface ProposalSchedule {
  readonly target: AlignmentTargetName;
  /** In days. */
  readonly horizon: number;
  /** Null while it is off. */
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastVersionId: string | null;
  /** The result of the last run, as a sentence. */
  readonly lastOutcome: string | null;
  /** The person responsible for its proposals. */
  readonly administrator: string;
}

const select = {
  ...columns('target', 'horizon', 'nextRunAt', 'lastRunAt', 'lastVersionId', 'lastOutcome'),
  ...columns('administrator'),
};

const sqlColumns = inSql(select);

export const findSchedules = (ctx: Context): Promise<ProposalSchedule[]> =>
  ctx.prisma.alignmentProposalSchedule.findMany({ where: {}, select }) as Promise<ProposalSchedule[]>;

export async function writeSchedule(
  tx: Context,
  schedule: Pick<ProposalSchedule, 'target' | 'horizon' | 'nextRunAt' | 'administrator'>,
): Promise<void> {
  const { target, horizon, nextRunAt, administrator } = schedule;
  await tx.sql.query(
    `INSERT INTO model.alignment_proposal_schedules
       (workspace_id, mode, target, horizon, next_run_at, administrator)
     VALUES ($1, $2::platform."Mode", $3::model."VersionSubject", $4, $5, $6)
     ON CONFLICT (workspace_id, mode, target) DO UPDATE
       SET horizon = excluded.horizon, next_run_at = excluded.next_run_at,
           administrator = excluded.administrator`,
    [...scopeOf(tx), target, horizon, nextRunAt, administrator],
  );
}

/** A schedule of any workspace. */
export type DueProposal = Scope & ProposalSchedule;

/**
 * Locks and returns the schedule that has been due for longest; null if there is none. Concurrent callers get
 * other schedules.
 */
export async function lockDueSchedule(tx: Context): Promise<DueProposal | null> {
  const [row] = await tx.sql.query<DueProposal>(
    `/* every workspace */ SELECT workspace_id, mode, ${sqlColumns}
       FROM model.alignment_proposal_schedules
      WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.clock.now()],
  );
  return row ?? null;
}

/** Records a run: its due time, its result, and the time of the next one. */
export async function writeProposalRun(
  tx: Context,
  run: Pick<ProposalSchedule, 'target' | 'nextRunAt' | 'lastVersionId' | 'lastOutcome'>,
): Promise<void> {
  const { target, nextRunAt, lastVersionId, lastOutcome } = run;
  const lastRunAt = tx.clock.now();
  await tx.prisma.alignmentProposalSchedule.updateMany({
    where: { target },
    data: { lastRunAt, ...(lastVersionId && { lastVersionId }), lastOutcome, nextRunAt },
  });
}
