import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { from1To } from '@loyalty/platform/values/input-rules';
import { type ClickLink, type OpenLink, readToken } from '../links/link-tokens.ts';
import { recordMessageEvent } from '../messages/message-events.service.ts';

const TOKENS_MAX = 100;

/**
 * Counts openings and clicks; those of one workspace and mode are kept together. The address of a click is
 * kept without its query, which may hold personal data.
 *
 * @param tokens - of `trackedHtml`, 1 to 100; the same twice counts twice
 * @throws AppError VALIDATION_FAILED, TOKEN_INVALID (400)
 */
export async function recordLinkVisits(ctx: Context, tokens: readonly string[]): Promise<number> {
  if (tokens.length === 0 || tokens.length > TOKENS_MAX) {
    throw invalid('tokens', from1To(TOKENS_MAX, 'tokens'));
  }
  const links = await Promise.all(tokens.map((token) => visitedLink(ctx, token)));
  const byScope = Map.groupBy(links, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  for (const visits of byScope.values()) {
    const [{ workspaceId, mode }] = visits as [ClickLink | OpenLink];
    await recordTogether(ctx.as(systemCaller('link', { workspaceId, mode })), visits);
  }
  return tokens.length;
}

async function visitedLink(ctx: Context, token: string): Promise<ClickLink | OpenLink> {
  const link = await readToken(ctx.services.keyring, token);
  if (!link || link.kind === 'RECIPIENT') throw invalid('tokens', 'must be of messages', 'TOKEN_INVALID');
  return link;
}

/** In the order of the messages, so that two transactions never wait for each other. */
const recordTogether = (there: Context, visits: readonly (ClickLink | OpenLink)[]): Promise<void> =>
  there.transaction(async (tx) => {
    const sorted = visits.toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1));
    for (const link of sorted) {
      const visit = { messageId: link.messageId, occurredAt: tx.clock.now() };
      if (link.kind === 'OPEN') await recordMessageEvent(tx, { ...visit, kind: 'OPENED' });
      else await recordMessageEvent(tx, { ...visit, kind: 'CLICKED', url: withoutQuery(link.url) });
    }
  });

function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
