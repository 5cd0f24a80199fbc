import type { Context } from '@loyalty/platform/context';
import { queueMessages } from '../../messages/queue-messages.service.ts';
import type { CampaignVariant } from '../campaigns/campaign.ts';
import { changedCounts, type RecipientCounts } from '../campaigns/recipient-counts.ts';
import type { ClaimedCampaign } from './campaign-claims.store.ts';
import { type DueRecipient, lockDueRecipients, moveRecipients } from './recipients.store.ts';

/** Recipients of one step. */
const BATCH = 1_000;

/**
 * Hands the next recipients who are due to those who send messages, in the caller's transaction.
 *
 * @returns how the counts of recipients change; empty when nobody is due
 */
export async function queueDue(tx: Context, campaign: ClaimedCampaign): Promise<RecipientCounts> {
  const due = await lockDueRecipients(tx, campaign.id, BATCH);
  if (due.length === 0) return [];
  const reasons = new Map<string, string>();
  for (const [key, recipients] of Map.groupBy(due, ({ variant }) => variant)) {
    const variant = campaign.variants.find((each) => each.key === key)!;
    for (const { memberId, reason } of await queueVariant(tx, campaign, variant, recipients))
      reasons.set(memberId, reason);
  }
  const moved = due.map(({ memberId, variant }) => ({
    memberId,
    variant,
    reason: reasons.get(memberId) ?? null,
  }));
  for (const [reason, same] of Map.groupBy(moved, (each) => each.reason))
    await moveRecipients(tx, campaign.id, idsOf(same), reason);
  const changes = moved.flatMap(({ variant, reason }) => [
    { variant, state: 'WAITING', reason: null, count: -1 } as const,
    { variant, state: reason === null ? 'QUEUED' : 'SKIPPED', reason, count: 1 } as const,
  ]);
  return changedCounts([], changes);
}

const idsOf = (recipients: readonly { readonly memberId: string }[]): string[] =>
  recipients.map(({ memberId }) => memberId);

/** The idempotency key of a message: nobody gets a second message of a campaign. */
const keyOf = (campaignId: string, memberId: string): string => `campaign:${campaignId}:${memberId}`;

async function queueVariant(
  tx: Context,
  { id, channel }: ClaimedCampaign,
  variant: CampaignVariant,
  recipients: readonly DueRecipient[],
): Promise<readonly { readonly memberId: string; readonly reason: string }[]> {
  const { skipped } = await queueMessages(tx, {
    channel,
    category: 'MARKETING',
    ...contentOf(variant),
    source: { kind: 'CAMPAIGN', id, nodeId: '', variant: variant.key },
    recipients: recipients.map(({ memberId }) => ({ memberId, key: keyOf(id, memberId) })),
    data: {},
  });
  return skipped;
}

function contentOf({ templateId, templateVersion, subject, html, title, body, url, icon }: CampaignVariant) {
  if (templateId) return { templateId, templateVersion };
  // Marketing gets a link to unsubscribe where it has none.
  if (title === undefined) return { inline: { subject: subject!, html: html! } };
  return { notification: { title, body: body ?? null, url: url ?? null, icon: icon ?? null } };
}
