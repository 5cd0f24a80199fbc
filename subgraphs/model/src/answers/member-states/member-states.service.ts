import type { MemberReference } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import { loader } from '@loyalty/platform/loading/loaders';
import { findMembers } from '../../members/members.service.ts';
import type { EvidenceItem, Signal, SignalStatus } from '../../scoring/standard-model/standard-state.ts';
import { type SavedSignal, type SavedStateRow, statesOf } from './member-states.store.ts';

/** The latest saved state of a member. */
export interface MemberState {
  readonly member: MemberReference;
  readonly status: SignalStatus;
  readonly purchase: Signal;
  readonly longGap: Signal;
  readonly cartRemoval: Signal;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
  readonly modelVersion: string;
  readonly sourceCutoff: Date;
  readonly updatedAt: Date;
  readonly jobId: string | null;
}

/**
 * Latest states by member, read together. Members whose processing is restricted have none, nor have erased
 * ones: both are left out before states are read.
 *
 * @remarks Source: model API, section 2 "Member state", rule 4
 */
export const stateByMember = loader(async (ctx, ids: readonly string[]) => {
  const members = await findMembers(ctx, { ids });
  const shown = members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id);
  const rows = shown.length > 0 ? await statesOf(ctx, shown) : [];
  return new Map(rows.map((row) => [row.memberId, stateFrom(row)]));
});

function stateFrom(row: SavedStateRow): MemberState {
  const { envelope, data } = row.state;
  return {
    member: { id: row.memberId },
    status: row.status,
    purchase: signalFrom(data.purchase),
    longGap: signalFrom(data.long_gap),
    cartRemoval: signalFrom(data.cart_removal),
    evidence: envelope.evidence.map(({ kind, value, observedAt }) => ({
      kind,
      value,
      observedAt: observedAt ? new Date(observedAt) : null,
    })),
    limitations: envelope.limitations,
    modelVersion: envelope.modelVersion,
    sourceCutoff: row.sourceCutoff,
    updatedAt: row.updatedAt,
    jobId: row.jobId,
  };
}

const signalFrom = ({ score, status, horizon_days, reasons }: SavedSignal): Signal => ({
  score,
  status: status.toUpperCase() as SignalStatus,
  horizonDays: horizon_days,
  reasons,
});
