import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from './consent-purposes.ts';

const HAS_CONSENT = `query HasConsent($memberId: ID!, $purpose: ConsentPurpose!) {
  _hasConsent(memberId: $memberId, purpose: $purpose)
}`;

/**
 * Whether data of a member may be used for a purpose now. Ask each time: a withdrawal counts at once.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function hasConsent(ctx: Context, memberId: string, purpose: ConsentPurpose): Promise<boolean> {
  const question = { query: HAS_CONSENT, variables: { memberId, purpose } };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', question);
  return answer['_hasConsent'] === true;
}
