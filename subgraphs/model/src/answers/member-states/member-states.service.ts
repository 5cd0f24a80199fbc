import type { MemberReference } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import { loader } from '@loyalty/platform/loading/loaders';
import { findMembers } from '../../members/members.service.ts';
import { presentState } from '../../scoring/standard-model/present-state.ts';
import type { StandardState } from '../../scoring/standard-model/standard-state.ts';
import { type SavedStateRow, statesOf } from './member-states.store.ts';

/** The latest saved state of a member. */
export interface MemberState extends StandardState {
  readonly member: MemberReference;
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
  const { memberId, modelVersion, sourceCutoff, updatedAt, jobId } = row;
  const about = { modelVersion, sourceCutoff, updatedAt, jobId };
  return { member: { id: memberId }, ...presentState(row, sourceCutoff), ...about };
}
