import type { Context } from '@loyalty/platform/context';
import type { MailMemberFragment } from '#generated/peers';
import { questions } from '../peers.ts';
import { type SuppressionReason, suppressionReasons } from '../suppressions/suppressions.service.ts';

/** The data of a member for a message. It is personal data: it stays in memory and is never logged. */
export interface MemberVariables
  extends Pick<
    MailMemberFragment,
    'status' | 'isRestricted' | 'email' | 'emailIndex' | 'timeZone' | 'consents'
  > {
  /** `member` of a template: built-in names, and custom fields by key. */
  readonly member: Readonly<Record<string, unknown>>;
  /** Custom fields by key; null if the member has no value or the field is archived. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Suppression reasons of the member's address; empty if it may be mailed. */
  readonly suppressed: readonly SuppressionReason[];
}

/**
 * Returns the variables of members. Unknown and erased members are omitted. Needs one query to the loyalty
 * subgraph and one statement.
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

/** The built-in names of `member`. Custom fields cannot have these keys. */
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

/** An example member for previews: every name that a template may use has a value. */
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
