import { scopesSuffice } from '@loyalty/platform/caller/access';
import { actorId } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { forbidden, notFound } from '@loyalty/platform/errors';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/loading/pages';
import { publish } from '@loyalty/platform/outbox/events';
import { checkText } from '@loyalty/platform/values/input';
import { lockMember, type Member, unmasked } from '../members/members.service.ts';
import { type ConsentPurpose, consentPurposes } from './consent-purposes.ts';
import { emailConsentWithdrawn, memberConsentChanged } from './consents.events.ts';
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

/** What holds while a member never said anything; consents.graphql says why. */
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
 * Records a member's consent or its withdrawal; the same again changes nothing and tells nothing. A
 * withdrawal of EMAIL_MARKETING has engagement suppress the address; a grant never takes that back.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), also for a member that speaks of another; SCOPE_MISSING (403),
 * VALIDATION_FAILED (400)
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

/** Whoever unsubscribed an address withdrew its consent to mail: that, too, is on record. */
export async function withdrawEmailConsent(tx: Context, emailIndex: string): Promise<void> {
  const memberId = await memberWithAddress(tx, emailIndex);
  if (memberId)
    await change(tx, { memberId, purpose: 'EMAIL_MARKETING', isGranted: false, source: 'unsubscribe' });
}

/** What holds for every purpose; many members load together. */
export async function consentsOf(ctx: Context, memberId: string): Promise<Consent[]> {
  const said = (await ctx.load(consentsByMember, memberId)) ?? [];
  return consentPurposes.map(
    (purpose) =>
      said.find((consent) => consent.purpose === purpose) ?? {
        purpose,
        isGranted: grantedByDefault[purpose],
        changedAt: null,
      },
  );
}

/**
 * Every change ever recorded, newest first.
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

/** A member's session holds no scopes and reaches itself alone, so this cannot be said in the graph. */
function permit({ caller }: Context, memberId: string): void {
  if (caller.kind === 'MEMBER') {
    if (actorId(caller) !== memberId) throw notFound('member', memberId);
  } else if (!scopesSuffice(caller, [['members:write']])) {
    throw forbidden('SCOPE_MISSING', 'This needs the scope members:write.');
  }
}
