import type { Scope } from '@loyalty/platform/caller/caller';
import { scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { AlignmentTargetName } from '../../training/versions/model-version.ts';

/** When alignments of a target are proposed. */
export interface ProposalSchedule {
  readonly target: AlignmentTargetName;
  /** Days. */
  readonly horizon: number;
  /** Null while it is off. */
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastVersionId: string | null;
  /** What the last run did, as a sentence. */
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

/** The schedule that is due for longest; null where none is. Others look at other ones meanwhile. */
export async function lockDueSchedule(tx: Context): Promise<DueProposal | null> {
  const [row] = await tx.sql.query<DueProposal>(
    `/* every workspace */ SELECT workspace_id, mode, ${sqlColumns}
       FROM model.alignment_proposal_schedules
      WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.clock.now()],
  );
  return row ?? null;
}

/** Notes that a run was due, what it did, and when the next one is. */
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
