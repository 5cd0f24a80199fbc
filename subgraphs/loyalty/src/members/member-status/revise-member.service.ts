import type { Context } from '@loyalty/platform/context';
import { conflict } from '@loyalty/platform/errors';
import { type UpdateMember, updateMember } from '../member-details/member-details.service.ts';
import { getMember, lockMembersForUpdate, type Member } from '../members/members.service.ts';
import { type SettableMemberStatus, setMemberStatus } from './member-status.service.ts';

/**
 * Changes the named details of a member and, where one is given, its status: both or neither.
 *
 * @param ifUpdatedAt - nothing is changed if somebody else changed the member after that; null: any time
 * @throws AppError as `updateMember` and `setMemberStatus`, and MEMBER_CHANGED (409)
 * @remarks Source: v2 REST API, section 4 "Members", PATCH /members/{id}
 */
export async function reviseMember(
  ctx: Context,
  id: string,
  { status, ...details }: UpdateMember & { readonly status?: SettableMemberStatus | null | undefined },
  ifUpdatedAt: Date | null = null,
): Promise<Member> {
  return ctx.transaction(async (tx) => {
    if (ifUpdatedAt) await refuseChanged(tx, id, ifUpdatedAt);
    if (status) await setMemberStatus(tx, id, status);
    return updateMember(tx, id, details);
  });
}

async function refuseChanged(tx: Context, id: string, ifUpdatedAt: Date): Promise<void> {
  await lockMembersForUpdate(tx, [id]);
  const { updatedAt } = await getMember(tx, id);
  if (updatedAt.getTime() === ifUpdatedAt.getTime()) return;
  throw conflict(
    'MEMBER_CHANGED',
    'Somebody else changed the member since you read it. Read it again, and send what you still want.',
    { field: 'ifUpdatedAt' },
  );
}
