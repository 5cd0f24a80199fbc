import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from '../consents/consent-purposes.ts';
import type { MemberStatus } from '../members/members.store.ts';

/** What a mail to a member needs. It is personal data: it stays in memory, and is never logged. */
export interface MailMember {
  readonly id: string;
  readonly status: Exclude<MemberStatus, 'DELETED'>;
  /** Processing is restricted at the member's request. */
  readonly isRestricted: boolean;
  readonly email: string | null;
  /** Of the index context EMAIL_INDEX. */
  readonly emailIndex: string | null;
  readonly fullName: string | null;
  /** The first word of the full name. */
  readonly firstName: string | null;
  readonly locale: string | null;
  /** IANA name: the member's own, else that of the home store, else that of the workspace. */
  readonly timeZone: string;
  readonly pointsBalance: number;
  /** The name of the tier. */
  readonly tier: string | null;
  /** Values by custom field key, without those of archived fields. */
  readonly customAttributes: Readonly<Record<string, unknown>>;
  /** Purposes to which the member consents now. */
  readonly consents: readonly ConsentPurpose[];
}

export interface MailMembers {
  readonly members: readonly MailMember[];
  /** Keys of all custom fields, archived ones too. */
  readonly customFieldKeys: readonly string[];
}

const MAIL_MEMBERS = 'query MailMembers($ids: [ID!]!) { _mailMembers(ids: $ids) }';

/** A batch of members by id; unknown and erased ones are left out. @throws AppError PEER_UNAVAILABLE (503) */
export async function findMailMembers(ctx: Context, ids: readonly string[]): Promise<MailMembers> {
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query: MAIL_MEMBERS, variables: { ids } });
  return answer['_mailMembers'] as MailMembers;
}

/** Keys of all custom fields of the workspace. @throws AppError PEER_UNAVAILABLE (503) */
export async function findCustomFieldKeys(ctx: Context): Promise<readonly string[]> {
  const question = { query: 'query CustomFieldKeys { _customFieldKeys }', variables: {} };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', question);
  return answer['_customFieldKeys'] as string[];
}
