import { randomInt } from 'node:crypto';
import { conflict, invalid, notFound, unavailable } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { getCouponPool } from '../coupons/coupon-pools.service.ts';
import { codePage, findOpenForm, formPage } from '../enrollment-forms/enrollment-forms.service.ts';
import { getMember, OPEN_STATUSES } from '../members/members.service.ts';
import {
  type AmbassadorCode,
  type CodeCounts,
  codesPage,
  countsByCode,
  endCode,
  findCode,
  findLiveCodeOf,
  insertCode,
  liveCode,
} from './ambassador-codes.store.ts';
import { codeIssued } from './referrals.events.ts';

export type { AmbassadorCode };

const ATTEMPTS_MAX = 5;

/**
 * Issues an ambassador's code to a member, or returns the live one: a member has one live code, also after
 * concurrent calls.
 *
 * @param poolId - of the coupon pool for rewards; a live code keeps its own
 * @throws AppError MEMBER_NOT_FOUND, COUPON_POOL_NOT_FOUND (404), MEMBER_CLOSED (409), RATE_LIMITED (429),
 *   GUARD_UNAVAILABLE (503)
 * @remarks Source: requirements L-AMB-03
 */
export async function issueAmbassadorCode(
  ctx: Context,
  memberId: string,
  poolId: string | null,
): Promise<AmbassadorCode> {
  await guardWrite(ctx, 'value');
  if (poolId) await getCouponPool(ctx, poolId);
  return ctx.transaction(async (tx) => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const id = newId(tx.clock);
      const made = await insertCode(tx, { id, memberId, poolId, code: newCode() }, OPEN_STATUSES);
      if (made) {
        await publish(tx, codeIssued, { memberId, codeId: id });
        return made;
      }
      const { status } = await getMember(tx, memberId);
      if (status === 'DEACTIVATION_PENDING')
        throw conflict(
          'MEMBER_CLOSED',
          "This member's erasure is pending. Cancel it before a code is issued.",
        );
      const live = await findLiveCodeOf(tx, memberId);
      if (live) return live;
      // The code exists already: the loop tries another one.
    }
    throw unavailable('CODE_UNAVAILABLE', 'No free code was found; nothing was stored. Try again.');
  });
}

/**
 * Deactivates a code; has no effect on a deactivated one.
 *
 * @throws AppError AMBASSADOR_CODE_NOT_FOUND (404)
 */
export async function deactivateAmbassadorCode(ctx: Context, id: string): Promise<AmbassadorCode> {
  await guardWrite(ctx, 'record');
  return ctx.transaction(async (tx) => {
    const ended = await endCode(tx, id);
    const code = ended ?? (await findCode(tx, id));
    if (!code) throw notFound('ambassador code', id);
    const action = 'deactivateAmbassadorCode';
    if (ended) await audit(tx, { action, resourceType: 'AmbassadorCode', resourceId: id });
    return code;
  });
}

/**
 * Returns codes of the workspace and mode, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listAmbassadorCodes(
  ctx: Context,
  args: PageArgs & {
    readonly memberId?: string | null | undefined;
    readonly isLive?: boolean | null | undefined;
  },
): Promise<Page<AmbassadorCode>> {
  const { memberId = null, isLive = null } = args;
  return codesPage(ctx, pageRequest(args), { memberId, isLive });
}

/**
 * Returns the live code of a member from any spelling.
 *
 * @param field - path of the argument, for the error
 * @throws AppError REFERRAL_CODE_INVALID (400)
 */
export async function getLiveCode(ctx: Context, field: string, text: string): Promise<AmbassadorCode> {
  const code = await liveCode(ctx, readCode(text), OPEN_STATUSES);
  if (!code) throw invalid(field, 'is no live code: check it, or leave it out', 'REFERRAL_CODE_INVALID');
  return code;
}

/** Counts the members and orders that a code brought. */
export const countReferrals = async (ctx: Context, codeId: string): Promise<CodeCounts> =>
  (await ctx.load(countsByCode, codeId)) ?? { members: 0, orders: 0 };

/** Returns the page to share: the newest open form, with the code filled in. */
export async function urlOfCode(ctx: Context, { code }: AmbassadorCode): Promise<string> {
  const form = await findOpenForm(ctx);
  const { config } = ctx.services;
  return form ? formPage(config, form.token, code) : codePage(config, code);
}

// Without letters that are easily confused, because codes are spoken on the phone and read from paper.
const CONSONANTS = 'BDFGHKLMNPRSTVZ';

const VOWELS = 'AEU';

const SYLLABLES = 6;

/** Returns six random syllables in groups of four letters, such as `BADE-KUFA-MEZU`: 33 bits. */
export function newCode(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const syllables = Array.from({ length: SYLLABLES }, () => pick(CONSONANTS) + pick(VOWELS));
  return inGroups(syllables.join(''));
}

/** Returns the stored form of a code, from any spelling. */
export const readCode = (text: string): string => inGroups(text.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const inGroups = (letters: string): string => (letters.match(/.{1,4}/g) ?? []).join('-');
