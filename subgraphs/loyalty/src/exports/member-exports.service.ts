import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { busy } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publishEnd } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchJob } from '@loyalty/platform/subscriptions/watch-job';
import { publish } from '@loyalty/platform/work/events';
import { lockMember, type Member, referredMember, unmasked } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { openFor, openMemberKey, sealFor } from '../members/sealing.ts';
import { questions } from '../peers.ts';
import { memberExportRequested } from './exports.events.ts';
import {
  completeExport,
  failOldExports,
  failUnfinished,
  findContent,
  findExport,
  findUnfinished,
  insertExport,
  type MemberExport,
  readMemberData,
} from './member-exports.store.ts';

const KEPT_MS = 7 * DAY_MS;

/** An export that is not collected within this time has failed. */
const COLLECTED_WITHIN_MS = DAY_MS;

const SEALED_AS = 'member.export';

/**
 * Requests an export of all data stored about a member; it is collected in the background and kept for seven
 * days. Returns the current export while one is being collected.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), also for erased members
 */
export async function requestMemberExport(ctx: Context, memberId: string): Promise<MemberExport> {
  return ctx.transaction(async (tx) => {
    await lockMember(tx, memberId);
    const id = newId(tx.clock);
    const made = await insertExport(tx, { id, memberId, expiresAt: addMs(tx.clock.now(), KEPT_MS) });
    if (made) {
      await publish(tx, memberExportRequested, { memberId, exportId: id });
      const after = { exportId: id };
      const what = { action: 'requestMemberExport', resourceType: 'Member', resourceId: memberId };
      await audit(tx, { ...what, after });
    }
    const unfinished = made ?? (await findUnfinished(tx, memberId));
    if (unfinished) return unfinished;
    throw busy('EXPORT_JUST_FINISHED', 'Another export was finished this moment. Ask again.');
  });
}

/** Loads one export; null if there is none, or it has expired. */
export const findMemberExport = (ctx: Context, id: string): Promise<MemberExport | null> =>
  findExport(ctx, id);

/** Yields an export now and when it has ended. @throws AppError MEMBER_EXPORT_NOT_FOUND (404) */
export const watchMemberExport = (ctx: Context, id: string): Promise<Snapshots<MemberExport>> =>
  watchJob(ctx, id, { noun: 'memberExport', find: findMemberExport });

/**
 * Marks an export as failed, so that another one can be requested at once; has no effect on a finished one.
 */
export async function failExport(ctx: Context, id: string, failure: string): Promise<void> {
  if (await failUnfinished(ctx, id, failure)) publishEnd(ctx, 'memberExport', id);
}

/** Returns the decrypted document; null until it is collected, and after the member is erased. */
export async function exportContent(ctx: Context, { id, memberId }: MemberExport): Promise<unknown> {
  const [sealed, member] = [await findContent(ctx, id), await referredMember(ctx, memberId)];
  const key = member && (await openMemberKey(ctx, member));
  return sealed && key ? JSON.parse(openFor(key, sealed, SEALED_AS)) : null;
}

/** Collects a requested export; a repeated run, or one after the member's erasure, has no effect. */
export async function gatherMemberExport(ctx: Context, exportId: string): Promise<void> {
  const wanted = await findExport(ctx, exportId);
  if (wanted?.status !== 'PENDING') return;
  const member = await referredMember(ctx, wanted.memberId);
  const key = member && (await openMemberKey(ctx, member));
  if (!key) return;
  const text = JSON.stringify(await gatherMemberData(ctx, member));
  const sizeBytes = Buffer.byteLength(text);
  await completeExport(ctx, exportId, { sealed: sealFor(key, text, SEALED_AS), sizeBytes });
  publishEnd(ctx, 'memberExport', exportId);
}

/** Marks exports as failed that were not collected within a day, in all workspaces. */
export const failOldMemberExports = (ctx: Context): Promise<void> =>
  failOldExports(ctx, addMs(ctx.clock.now(), -COLLECTED_WITHIN_MS));

/**
 * Returns all data that the product stores about a member now, personal data unmasked. Data of another
 * subgraph is under its name.
 *
 * @throws AppError PEER_UNAVAILABLE (503): no export is better than an incomplete one
 * @remarks Source: requirements L-MEM-30, GDPR article 15
 */
async function gatherMemberData(ctx: Context, member: Member): Promise<Record<string, unknown>> {
  const { peers } = ctx.services;
  const of = { memberId: member.id };
  const commerce = await peers.ask(ctx, 'commerce', questions.CommerceMemberData, of);
  const engagement = await peers.ask(ctx, 'engagement', questions.EngagementMemberData, of);
  const model = await peers.ask(ctx, 'model', questions.ModelMemberData, of);
  return {
    exportedAt: ctx.clock.now(),
    member: await identity(ctx, unmasked(member)),
    loyalty: await readMemberData(ctx, member.id),
    commerce: commerce.data,
    engagement: engagement.data,
    model: model.data,
  };
}

async function identity(ctx: Context, member: Member): Promise<Record<string, unknown>> {
  return {
    id: member.id,
    email: await openPersonal(ctx, member, 'email'),
    name: await openPersonal(ctx, member, 'name'),
    phone: await openPersonal(ctx, member, 'phone'),
    birthOn: await openPersonal(ctx, member, 'birthOn'),
    externalId: member.externalId,
    programId: member.programId,
    homeStoreId: member.homeStoreId,
    locale: member.locale,
    timeZone: member.timeZone,
    status: member.status,
    enrollmentSource: member.enrollmentSource,
    isRestricted: member.isRestricted,
    customAttributes: member.customAttributes,
    pointsBalance: member.pointsBalance,
    pointsEarned: Number(member.pointsEarned),
    createdAt: member.createdAt,
    updatedAt: member.updatedAt,
    lastActivityAt: member.lastActivityAt,
  };
}
