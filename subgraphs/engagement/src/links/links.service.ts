import { systemCaller } from '@loyalty/platform/base/caller';
import { invalid } from '@loyalty/platform/base/errors';
import { from1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import { recordMessageEvent } from '../messages/message-events.service.ts';
import { linksIn } from './html-links.ts';
import {
  type ClickLink,
  linkKeys,
  makeToken,
  type OpenLink,
  readToken,
  recipientToken,
  tokenHead,
} from './link-tokens.ts';

/**
 * Maximum length of a URL that is replaced, so that the replacement fits into the request line that servers
 * accept.
 */
const URL_LENGTH_MAX = 4_000;

/** Paths of the product that are not replaced: their function must not depend on tracking. */
const OWN_PATH = /^\/(unsubscribe|preferences|u|c|o)(\/|$)/;

const NOTHING = Buffer.alloc(0);

/** The message of the links. */
interface LinkedMessage {
  readonly id: string;
  readonly category: 'TRANSACTIONAL' | 'MARKETING';
  /** Blind index of the recipient's address. */
  readonly emailIndex: string;
  readonly memberId: string | null;
}

/** The links of a message for unsubscription and preferences. */
interface RecipientLinks {
  readonly unsubscribeUrl: string;
  readonly preferencesUrl: string;
  /** One-click unsubscription of RFC 2369 and RFC 8058; marketing only. */
  readonly headers: Record<string, string>;
}

/** Whether openings and clicks of messages are tracked. */
interface TrackingSettings {
  readonly isOpenTracked: boolean;
  readonly isClickTracked: boolean;
}

/**
 * Creates the links for unsubscription and preferences of a message. They do not expire, and contain only the
 * blind index of the address. Providers must sign both headers (DKIM), as RFC 8058 requires.
 *
 * @remarks Source: v2 REST API, section 3 "Email providers"; RFC 2369, RFC 8058; requirements L-CMP-05
 */
export async function linksFor(ctx: Context, message: LinkedMessage): Promise<RecipientLinks> {
  const base = publicUrl(ctx.services.config);
  const { id: messageId, emailIndex } = message;
  const token = recipientToken(await linkKeys(ctx.services.keyring), ctx.scope, { messageId, emailIndex });
  const oneClick = {
    'List-Unsubscribe': `<${base}/u/${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return {
    // Browsers do not send the fragment, so neither servers nor referrers see the token.
    unsubscribeUrl: `${base}/unsubscribe#token=${token}`,
    preferencesUrl: `${base}/preferences#token=${token}`,
    headers: message.category === 'MARKETING' ? oneClick : {},
  };
}

/**
 * Adds tracking to a rendered message: http and https links of `<a>` and `<area>` are replaced by links to
 * `/c/`, and an image of one pixel is added at the end of the body. The rest of the HTML does not change. The
 * token of a link contains its target, so that a link cannot be redirected elsewhere. Links to the
 * unsubscribe page and the preference centre, and links longer than 4,000 characters, do not change.
 */
export async function trackedHtml(
  ctx: Context,
  html: string,
  messageId: string,
  settings: TrackingSettings,
): Promise<string> {
  const { isOpenTracked, isClickTracked } = settings;
  if (!isOpenTracked && !isClickTracked) return html;
  const keys = await linkKeys(ctx.services.keyring);
  const base = publicUrl(ctx.services.config);
  const { links, bodyEnd } = linksIn(html);
  const replace = isClickTracked
    ? clickAddresses(keys, base, tokenHead('CLICK', ctx.scope, messageId))
    : null;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, href } of replace ? links : []) {
    const address = replace!(href);
    if (address === null) continue;
    parts.push(html.slice(done, start), address);
    done = end;
  }
  if (isOpenTracked) {
    const token = makeToken(keys, tokenHead('OPEN', ctx.scope, messageId), NOTHING);
    const at = Math.max(done, bodyEnd);
    parts.push(html.slice(done, at), pixel(`${base}/o/${token}.gif`));
    done = at;
  }
  parts.push(html.slice(done));
  return parts.join('');
}

/** Returns the link of a web push, by way of `/c/` if clicks are tracked. */
export async function trackedLink(
  ctx: Context,
  url: string,
  messageId: string,
  { isClickTracked }: TrackingSettings,
): Promise<string> {
  if (!isClickTracked) return url;
  const keys = await linkKeys(ctx.services.keyring);
  const replace = clickAddresses(
    keys,
    publicUrl(ctx.services.config),
    tokenHead('CLICK', ctx.scope, messageId),
  );
  return replace(url) ?? url;
}

/**
 * Returns a function that gives the replacement of an `href`, or null if it does not change. Equal links are
 * signed once.
 */
function clickAddresses(keys: WorkspaceKeyring, base: string, head: Buffer): (href: string) => string | null {
  const { origin } = new URL(base);
  const known = new Map<string, string | null>();
  const addressOf = (href: string): string | null => {
    const url = targetOf(href, origin);
    return url === null ? null : `${base}/c/${makeToken(keys, head, Buffer.from(url, 'utf8'))}`;
  };
  return (href) => {
    const address = known.has(href) ? known.get(href)! : addressOf(href);
    known.set(href, address);
    return address;
  };
}

/** Returns the target of a link; null if the link is not tracked. */
function targetOf(href: string, origin: string): string | null {
  if (!/^https?:/i.test(href) || href.length > URL_LENGTH_MAX || !URL.canParse(href)) return null;
  const url = new URL(href);
  const isOurs = url.origin === origin && OWN_PATH.test(url.pathname);
  return isOurs || url.href.length > URL_LENGTH_MAX ? null : url.href;
}

const pixel = (address: string): string =>
  `<img src="${address}" width="1" height="1" border="0" alt="" style="height:1px;width:1px;border:0">`;

const TOKENS_MAX = 100;

/**
 * Counts openings and clicks, with one transaction for each workspace and mode. The URL of a click is stored
 * without its query, which may contain personal data.
 *
 * @param tokens - of `trackedHtml`, 1 to 100; a repeated token counts twice
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

/** Visits are recorded in the order of their messages, so that two transactions cannot deadlock. */
const recordTogether = (scoped: Context, visits: readonly (ClickLink | OpenLink)[]): Promise<void> =>
  scoped.transaction(async (tx) => {
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
