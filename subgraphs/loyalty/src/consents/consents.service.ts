import { actorId } from '@loyalty/platform/base/caller';
import { forbidden, notFound } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import { publish } from '@loyalty/platform/work/events';
import { findMember, lockMember, type Member, OPEN_STATUSES, unmasked } from '../members/members.service.ts';
import {
  type ConsentPurpose,
  consentPurposes,
  emailConsentWithdrawn,
  memberConsentChanged,
} from './consents.events.ts';
import {
  type Consent,
  type ConsentChange,
  changeConsent,
  consentsByMember,
  historyPage,
  memberWithAddress,
  type NewConsent,
} from './consents.store.ts';

const SOURCE_LENGTH_MAX = 100;

/** The default while a member has never decided; consents.graphql gives the reasons. */
const grantedByDefault: Readonly<Record<ConsentPurpose, boolean>> = {
  PRECISE_LOCATION: false,
  EMAIL_MARKETING: true,
  PROFILING: false,
};

interface SetConsent {
  readonly purpose: ConsentPurpose;
  readonly granted: boolean;
  readonly source?: string | null | undefined;
}

/**
 * Records a member's consent or its withdrawal; a repeated call changes and publishes nothing. After a
 * withdrawal of EMAIL_MARKETING engagement suppresses the address; a later grant does not end the
 * suppression.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), also for a member who names another; SCOPE_MISSING (403),
 *   VALIDATION_FAILED (400)
 */
export async function setMemberConsent(ctx: Context, memberId: string, input: SetConsent): Promise<Member> {
  permit(ctx, memberId);
  const { purpose, granted: isGranted } = input;
  const source = input.source ? checkText('source', input.source, SOURCE_LENGTH_MAX) : null;
  return ctx.transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    const isChanged = await change(tx, { memberId, purpose, isGranted, source });
    if (isChanged && !isGranted && purpose === 'EMAIL_MARKETING' && member.emailIndex)
      await publish(tx, emailConsentWithdrawn, { emailIndex: member.emailIndex });
    return unmasked(member);
  });
}

/** Records the withdrawal of consent to mail after an address was unsubscribed. */
export async function withdrawEmailConsent(tx: Context, emailIndex: string): Promise<void> {
  const memberId = await memberWithAddress(tx, emailIndex);
  if (memberId)
    await change(tx, { memberId, purpose: 'EMAIL_MARKETING', isGranted: false, source: 'unsubscribe' });
}

/** Returns the purposes that count as granted, from a member's decisions. */
export const grantedPurposes = (
  decided: readonly Pick<Consent, 'purpose' | 'isGranted'>[],
): ConsentPurpose[] =>
  consentPurposes.filter(
    (purpose) =>
      decided.find((consent) => consent.purpose === purpose)?.isGranted ?? grantedByDefault[purpose],
  );

/** Returns the consents to every purpose. Batched by member. */
export async function consentsOf(ctx: Context, memberId: string): Promise<Consent[]> {
  const decided = (await ctx.load(consentsByMember, memberId)) ?? [];
  return consentPurposes.map(
    (purpose) =>
      decided.find((consent) => consent.purpose === purpose) ?? {
        purpose,
        isGranted: grantedByDefault[purpose],
        changedAt: null,
      },
  );
}

/**
 * Returns every recorded change, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export const listConsentHistory = async (
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<ConsentChange>> => historyPage(ctx, memberId, pageRequest(args));

async function change(tx: Context, consent: NewConsent): Promise<boolean> {
  const isChanged = await changeConsent(tx, consent);
  const { memberId, purpose, isGranted: granted } = consent;
  if (isChanged) await publish(tx, memberConsentChanged, { memberId, purpose, granted });
  return isChanged;
}

/** A member's session has no scopes and may access only this member, which `@access` cannot express. */
function permit({ caller }: Context, memberId: string): void {
  if (caller.kind === 'MEMBER') {
    if (actorId(caller) !== memberId) throw notFound('member', memberId);
  } else if (!scopesSuffice(caller, [['members:write']])) {
    throw forbidden('SCOPE_MISSING', 'This needs the scope members:write.');
  }
}

/**
 * Returns whether a member consents to a purpose now. False for unknown members, for those that are being
 * erased, and while processing is restricted: then their data may only be stored.
 *
 * @remarks Source: GDPR articles 7 and 18
 */
export async function hasConsentNow(
  ctx: Context,
  memberId: string,
  purpose: ConsentPurpose,
): Promise<boolean> {
  const member = await findMember(ctx, memberId);
  if (!member || member.isRestricted || !OPEN_STATUSES.some((status) => status === member.status))
    return false;
  const consents = await consentsOf(ctx, memberId);
  return consents.some((consent) => consent.purpose === purpose && consent.isGranted);
}
