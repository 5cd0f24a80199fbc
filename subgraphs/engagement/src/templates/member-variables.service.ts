import type { Context } from '@loyalty/platform/context';
import type { MailMemberFragment } from '#generated/peers';
import { questions } from '../peers.ts';
import { type SuppressionReason, suppressionReasons } from '../suppressions/suppressions.service.ts';

/** What is known of a member for a message. It is personal data: it stays in memory, and is never logged. */
export interface MemberVariables
  extends Pick<
    MailMemberFragment,
    'status' | 'isRestricted' | 'email' | 'emailIndex' | 'timeZone' | 'consents'
  > {
  /** `member` of a template: what is built in, and custom fields under their keys. */
  readonly member: Readonly<Record<string, unknown>>;
  /** Custom fields by key, null where the member has no value or the field is archived. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why the member's address must not be mailed; empty where it may. */
  readonly suppressed: readonly SuppressionReason[];
}

/**
 * The variables of a batch of members. Members that do not exist, or were erased, are left out. A batch costs
 * one question to loyalty and one statement.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberVariables(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, MemberVariables>> {
  if (memberIds.length === 0) return new Map();
  const wanted = { ids: memberIds };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.MailMembers, wanted);
  const { members, customFieldKeys } = answer._mailMembers;
  const indexes = members.flatMap(({ emailIndex }) => emailIndex ?? []);
  const suppressed = await suppressionReasons(ctx, indexes);
  const none = Object.fromEntries(customFieldKeys.map((key) => [key, null]));
  return new Map(
    members.map((member) => {
      const fields = { ...none, ...member.customAttributes };
      const { id, status, isRestricted, email, emailIndex, timeZone, consents } = member;
      const known = { status, isRestricted, email, emailIndex, timeZone, consents };
      const reasons = suppressed.get(emailIndex ?? '') ?? [];
      return [id, { ...known, fields, member: { ...fields, ...builtIn(member) }, suppressed: reasons }];
    }),
  );
}

/** The names of a member in templates; no custom field can have them. */
const builtIn = (member: MailMemberFragment): Record<string, unknown> => ({
  id: member.id,
  first_name: member.firstName,
  full_name: member.fullName,
  name: member.fullName,
  email: member.email,
  locale: member.locale,
  time_zone: member.timeZone,
  points_balance: member.pointsBalance,
  tier: member.tier,
  status: member.status,
});

/** A made-up member, for previews without one: every name that a template may use has a value. */
export function exampleMember(customFieldKeys: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(customFieldKeys.map((key) => [key, `(${key})`])),
    ...builtIn({
      id: '00000000-0000-7000-8000-000000000000',
      status: 'ACTIVE',
      isRestricted: false,
      email: 'alex@example.com',
      emailIndex: null,
      fullName: 'Alex Example',
      firstName: 'Alex',
      locale: 'en',
      timeZone: 'UTC',
      pointsBalance: 120,
      tier: 'Silver',
      customAttributes: {},
      consents: [],
    }),
  };
}
