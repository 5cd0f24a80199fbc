import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { Consent } from '../consents/consents.store.ts';
import { memberColumns } from '../members/member-sql.ts';
import type { Member } from '../members/members.service.ts';

/** A member with the name of the tier and the consents that were decided. */
export interface MailMemberRow extends Member {
  readonly tier: string | null;
  readonly decided: readonly Pick<Consent, 'purpose' | 'isGranted'>[];
}

/** Members that are not erased, with what mails to them need: one statement for all. */
export const findMailRows = (ctx: Context, ids: readonly string[]): Promise<MailMemberRow[]> =>
  ctx.sql.query<MailMemberRow>(
    `SELECT ${memberColumns}, t.name AS tier,
            coalesce((SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'isGranted', c.is_granted))
                        FROM loyalty.member_consents AS c
                       WHERE c.workspace_id = m.workspace_id AND c.mode = m.mode AND c.member_id = m.id),
                     '[]') AS decided
       FROM loyalty.members AS m
       LEFT JOIN loyalty.tiers AS t ON t.workspace_id = m.workspace_id AND t.id = m.current_tier_id
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.status <> 'DELETED'`,
    [...scopeOf(ctx), ids],
  );
