import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import { busy, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { maskEmail } from '@loyalty/platform/base/masks';
import type { Context } from '@loyalty/platform/context';
import { instantsOf } from '@loyalty/platform/database/day-range';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { type Member, memberRefs, referredMember, unmasked } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { findStore } from '../stores.service.ts';
import { captureCreated } from './captures.events.ts';
import {
  type Capture,
  type CaptureType,
  captureById,
  capturesPage,
  findByAddress,
  findMemberOf,
  insertCapture,
  linkToMember,
  lockRow,
  memberIdByCapture,
  removeOfMember,
} from './captures.store.ts';

const SEALED_AS = 'capture.email';

interface CreateCapture {
  readonly email: string;
  readonly storeId?: string | null | undefined;
}

/** Loads a capture for an object that refers to it; null if there is none. */
export const findCapture = (ctx: Context, id: string): Promise<Capture | null> => ctx.load(captureById, id);

/** Conditions on captures; an absent one does not count. */
interface CapturesWanted {
  readonly storeId?: string | null | undefined;
  readonly type?: CaptureType | null | undefined;
  /** YYYY-MM-DD, as `to`; both days count. */
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/**
 * Returns captures, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds or days in the wrong order,
 *   PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Captures", GET /captures
 */
export async function listCaptures(ctx: Context, args: PageArgs & CapturesWanted): Promise<Page<Capture>> {
  const request = pageRequest(args);
  const { storeId = null, type = null } = args;
  const days = await instantsOf(ctx, 'from', args.from, args.to);
  return capturesPage(ctx, request, { storeId, type, ...days });
}

/** Returns the member with a capture's address, linked or not; null if there is none. */
export async function memberOfCapture(ctx: Context, id: string): Promise<Member | null> {
  const memberId = await ctx.load(memberIdByCapture, id);
  return memberId ? referredMember(ctx, memberId) : null;
}

/**
 * Returns the address of a capture: in full for callers with members:read, masked for others.
 *
 * @remarks Source: requirement L-CAP-05
 */
export async function captureEmail(ctx: Context, { emailSealed }: Capture): Promise<string> {
  const email = await ctx.services.keyring.open(ctx.scope.workspaceId, emailSealed, SEALED_AS);
  return scopesSuffice(ctx.caller, [['members:read']]) ? email : maskEmail(email);
}

/**
 * Stores an address, once for each store and once without one. For an address that is stored already it
 * returns that capture and publishes nothing.
 *
 * @throws AppError VALIDATION_FAILED (400), STORE_NOT_FOUND (404), RATE_LIMITED (429), GUARD_UNAVAILABLE,
 *   PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 2 "Capture"; requirement L-CAP-03
 */
export async function createCapture(ctx: Context, input: CreateCapture): Promise<Capture> {
  await guardWrite(ctx, 'record');
  const email = checkEmail('input.email', input.email);
  const storeId = input.storeId ?? null;
  if (storeId && !(await findStore(ctx, storeId))) throw notFound('store', storeId);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const emailIndexes = keys.indexes(email, EMAIL_INDEX);
  return ctx.transaction(async (tx) => {
    const [member] = await memberRefs(tx, { emailIndexes });
    const capture = await insertCapture(tx, {
      id: newId(tx.clock),
      type: storeId ? 'STORE' : 'EMAIL',
      emailIndexes,
      emailSealed: keys.seal(email, SEALED_AS),
      storeId,
      memberId: member?.id ?? null,
    });
    if (capture) {
      await publish(tx, captureCreated, { captureId: capture.id, storeId });
      return capture;
    }
    const kept = await findByAddress(tx, emailIndexes, storeId);
    if (!kept) throw busy('CAPTURE_CHANGED', 'The capture was just removed; nothing was stored. Try again.');
    return kept;
  });
}

/**
 * Locks a capture until the transaction ends: nobody can delete it or issue a code to it.
 *
 * @throws AppError CAPTURE_NOT_FOUND (404)
 */
export async function lockCapture(tx: Context, id: string): Promise<void> {
  if (!(await lockRow(tx, id))) throw notFound('capture', id);
}

/** Returns the id of the member with a capture's address; null if there is none. */
export const captureMember = (ctx: Context, id: string): Promise<string | null> => findMemberOf(ctx, id);

/**
 * Links the captures with a member's address to the member, so that they are deleted when the member is
 * erased.
 */
export async function linkCaptures(ctx: Context, memberId: string): Promise<void> {
  const member = await referredMember(ctx, memberId);
  if (!member?.emailSealed) return;
  const email = await openPersonal(ctx, unmasked(member), 'email');
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  await linkToMember(ctx, keys.indexes(email!, EMAIL_INDEX), memberId);
}

/** Deletes the captures of an erased member; coupons that were issued to them stay, without an address. */
export const forgetCaptures = (ctx: Context, memberId: string): Promise<void> =>
  removeOfMember(ctx, memberId);
