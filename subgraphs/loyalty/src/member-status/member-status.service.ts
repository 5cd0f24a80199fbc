import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { conflict } from '@loyalty/platform/base/errors';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import { forgetAnswersAbout } from '@loyalty/platform/identity/idempotency';
import { type EventType, publish, publishAll } from '@loyalty/platform/work/events';
import { withdrawEmailConsent } from '../consents/consents.service.ts';
import { waitForEnrolments } from '../consents/opt-outs.service.ts';
import { type UpdateMember, updateMember } from '../member-details/member-details.service.ts';
import { memberUpdated } from '../members/members.events.ts';
import {
  endOfChunk,
  getMember,
  lockMembersForUpdate,
  type Member,
  type MemberStatus,
  scopesWithMembers,
  unmasked,
} from '../members/members.service.ts';
import { eraseDue } from './erasure.store.ts';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberInactive,
  memberRestrictionChanged,
  memberUnsubscribed,
} from './member-status.events.ts';
import { type MoveName, moves } from './member-status.moves.ts';
import {
  changeRestriction,
  changeStatus,
  markIdle,
  type ScopedMember,
  type StatusChange,
  statusBeforeErasure,
  unsubscribeByEmail,
} from './member-status.store.ts';

/** Time in which a requested erasure can be cancelled. */
const ERASURE_DELAY_MS = 30 * DAY_MS;

/** Time without activity after which members are inactive. */
const IDLE_MS = 365 * DAY_MS;

/** The statuses that can be set. */
export type SettableMemberStatus = 'ACTIVE' | 'INACTIVE';

/**
 * Marks a member as active or inactive. Has no effect on a member that already has this status.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_STATUS_CONFLICT (409)
 * @remarks Source: requirements L-MEM-09, L-MEM-22
 */
export async function setMemberStatus(
  ctx: Context,
  id: string,
  status: SettableMemberStatus,
): Promise<Member> {
  return ctx.transaction(async (tx) => {
    const before = await getMember(tx, id);
    if (before.status === status) return unmasked(before);
    const after = await move(
      tx,
      before,
      status === 'ACTIVE' ? 'BE_ACTIVE' : 'FALL_INACTIVE',
      { to: status },
      'setMemberStatus',
    );
    if (status === 'INACTIVE') await publish(tx, memberInactive, { memberId: id });
    else await publish(tx, memberUpdated, { memberId: id, fields: ['status'] });
    return after;
  });
}

/**
 * Requests a member's erasure in 30 days; a second request does not change the day of the first.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_STATUS_CONFLICT (409)
 * @remarks Source: requirements L-MEM-22
 */
export async function requestErasure(ctx: Context, memberId: string): Promise<Member> {
  return ctx.transaction(async (tx) => {
    const before = await getMember(tx, memberId);
    if (before.status === 'DEACTIVATION_PENDING') return unmasked(before);
    const eraseAfter = addMs(tx.clock.now(), ERASURE_DELAY_MS);
    const change = { to: moves.REQUEST_ERASURE.to, statusBeforeErasure: before.status, eraseAfter };
    const after = await move(tx, before, 'REQUEST_ERASURE', change, 'requestErasure');
    await publish(tx, memberErasureRequested, { memberId });
    return after;
  });
}

/**
 * Cancels a requested erasure: the member returns to the status before it.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_STATUS_CONFLICT (409) if none is pending
 * @remarks Source: requirements L-MEM-22
 */
export async function cancelErasure(ctx: Context, memberId: string): Promise<Member> {
  return ctx.transaction(async (tx) => {
    const before = await getMember(tx, memberId);
    const to = (await statusBeforeErasure(tx, memberId)) ?? 'ACTIVE';
    const change = { to, statusBeforeErasure: null, eraseAfter: null };
    const after = await move(tx, before, 'CANCEL_ERASURE', change, 'cancelErasure');
    await publish(tx, memberErasureCancelled, { memberId });
    return after;
  });
}

/**
 * Marks the member with the address as unsubscribed and withdraws its consent to mail. A member who is not
 * active will become unsubscribed instead of active later. Waits for enrolments that may not know of the
 * opt-out yet.
 */
export async function markUnsubscribed(ctx: Context, emailIndex: string): Promise<void> {
  await waitForEnrolments(ctx);
  await ctx.transaction(async (tx) => {
    const memberId = await unsubscribeByEmail(tx, emailIndex, moves.UNSUBSCRIBE.from);
    if (memberId) await publish(tx, memberUnsubscribed, { memberId });
    await withdrawEmailConsent(tx, emailIndex);
  });
}

/**
 * Erases every member of all workspaces whose 30 days are over: the key, personal data, search indexes,
 * attributes, tags, consents, exports, sessions and stored answers about the member are deleted, and
 * descriptions in the ledger become neutral. The same transaction publishes an event to the subgraphs that
 * store more data of the member.
 *
 * @param batchSize - members erased in one transaction
 * @returns the number of erased members
 */
export async function eraseDueMembers(ctx: Context, batchSize = 100): Promise<number> {
  let total = 0;
  for (;;) {
    const erased = await ctx.transaction(async (tx) => {
      const members = await eraseDue(tx, batchSize);
      await forgetAnswersAbout(tx, members);
      forgetCredentials(tx, ...members.map(({ id }) => `member:${id}` as const));
      return publishInScopes(tx, memberErased, members);
    });
    total += erased;
    if (erased < batchSize) return total;
  }
}

/**
 * Marks every active member of all workspaces without activity for 365 days as inactive.
 *
 * @param chunkSize - members read in one transaction
 * @returns the number of members that became inactive
 */
export async function markInactiveMembers(ctx: Context, chunkSize = 5_000): Promise<number> {
  let total = 0;
  for (const scope of await scopesWithMembers(ctx))
    total += await markInactiveIn(ctx.as(systemCaller(memberInactive.type, scope)), chunkSize);
  return total;
}

async function markInactiveIn(ctx: Context, chunkSize: number): Promise<number> {
  const idleSince = addMs(ctx.clock.now(), -IDLE_MS);
  let total = 0;
  let afterId = NO_ID;
  for (;;) {
    const toId = await endOfChunk(ctx, afterId, chunkSize);
    if (!toId) return total;
    const range = { afterId, toId };
    total += await ctx.transaction(async (tx) => {
      const marked = await markIdle(tx, range, moves.FALL_INACTIVE.from, idleSince);
      await publishAll(
        tx,
        memberInactive,
        marked.map((memberId) => ({ memberId })),
      );
      return marked.length;
    });
    afterId = toId;
  }
}

/** Makes one of the permitted changes in the caller's transaction, and audits it. */
async function move(
  tx: Context,
  before: Member,
  name: MoveName,
  change: StatusChange,
  action: string,
): Promise<Member> {
  const { id, status } = before;
  const from: readonly MemberStatus[] = moves[name].from;
  if (!from.includes(status) || !(await changeStatus(tx, id, status, change))) {
    const [is, wanted] = [status, change.to].map((word) => word.toLowerCase().replaceAll('_', ' '));
    const sentence =
      name === 'CANCEL_ERASURE'
        ? 'No erasure of this member is pending. There is nothing to cancel.'
        : `A member that is ${is} cannot become ${wanted}. Read the member again.`;
    throw conflict('MEMBER_STATUS_CONFLICT', sentence);
  }
  const after = await getMember(tx, id);
  const shown = { before: { status }, after: { status: after.status } };
  await audit(tx, { action, resourceType: 'Member', resourceId: id, ...shown });
  return unmasked(after);
}

/** Publishes one event per member, with the system caller of the member's workspace and mode. */
async function publishInScopes(
  tx: Context,
  declared: EventType<{ memberId: string }>,
  members: readonly ScopedMember[],
): Promise<number> {
  const byScope = Map.groupBy(members, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  for (const ofOne of byScope.values()) {
    const caller = systemCaller(declared.type, ofOne[0]);
    await publishAll(
      tx.as(caller),
      declared,
      ofOne.map(({ id }) => ({ memberId: id })),
    );
  }
  return members.length;
}

/**
 * Changes details of a member and, if given, its status: both or neither.
 *
 * @param ifUpdatedAt - refuses the change if the member was changed after this time; null: never refuses
 * @throws AppError like `updateMember` and `setMemberStatus`, and MEMBER_CHANGED (409)
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

/**
 * Restricts the processing of a member's data at the member's request, or ends the restriction. Predictions
 * and mails read the flag before they start, and again before a result is stored or shown. A repeated call
 * has no effect.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 * @remarks Source: requirements L-MEM-30
 */
export async function restrictProcessing(
  ctx: Context,
  memberId: string,
  isRestricted: boolean,
): Promise<Member> {
  return ctx.transaction(async (tx) => {
    if (await changeRestriction(tx, memberId, isRestricted)) {
      await publish(tx, memberRestrictionChanged, { memberId, isRestricted });
      const shown = { before: { isRestricted: !isRestricted }, after: { isRestricted } };
      const what = { action: 'restrictProcessing', resourceType: 'Member', resourceId: memberId };
      await audit(tx, { ...what, ...shown });
    }
    return unmasked(await getMember(tx, memberId));
  });
}
