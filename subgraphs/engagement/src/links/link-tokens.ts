import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@loyalty/platform/base/caller';
import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/base/ids';
import { type Keyring, PLATFORM_WORKSPACE_ID, type WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';

// A token is the base64url of its data, followed by an authentication code. The code uses a key of the
// platform. Tokens stay valid after changes of keys and do not expire, because a message may be opened years
// later.

/** A link of a recipient, who is identified by the blind index of the address. */
export interface RecipientLink extends Scope {
  readonly kind: 'RECIPIENT';
  /** Null for a link outside a message. */
  readonly messageId: string | null;
  readonly emailIndex: string;
}

/** A link of a message that was replaced by a tracked link. */
export interface ClickLink extends Scope {
  readonly kind: 'CLICK';
  readonly messageId: string;
  /** The target, as `URL.href`. */
  readonly url: string;
}

/** The link of the image that records the opening of a message. */
export interface OpenLink extends Scope {
  readonly kind: 'OPEN';
  readonly messageId: string;
}

export type MailLink = RecipientLink | ClickLink | OpenLink;

const CONTEXT = 'mail.link';
/** 22 characters of base64url: 132 bits. */
const CODE_LETTERS = 22;
const TOKEN = /^[\w-]{60,15000}$/;
const INDEX_BYTES = 32;
const HEAD_BYTES = 1 + 2 * UUID_BYTES;
const KINDS = ['RECIPIENT', 'CLICK', 'OPEN'] as const;
const TEST_BIT = 0x80;
const NO_MESSAGE = Buffer.alloc(UUID_BYTES);

/** Returns the keys of tokens. Do not keep them longer than a request. */
export const linkKeys = ({ of }: Keyring): Promise<WorkspaceKeyring> => of(PLATFORM_WORKSPACE_ID);

/** The start of all tokens of one kind for one message. */
export function tokenHead(
  kind: MailLink['kind'],
  { workspaceId, mode }: Scope,
  messageId: string | null,
): Buffer {
  const first = KINDS.indexOf(kind) | (mode === 'TEST' ? TEST_BIT : 0);
  const message = messageId === null ? NO_MESSAGE : uuidToBytes(messageId);
  return Buffer.concat([Buffer.of(first), uuidToBytes(workspaceId), message]);
}

/** @param head - of `tokenHead` */
export function makeToken(keys: WorkspaceKeyring, head: Buffer, rest: Buffer): string {
  const content = Buffer.concat([head, rest]).toString('base64url');
  return content + keys.index(content, CONTEXT).slice(0, CODE_LETTERS);
}

/** Creates the token of the links for unsubscription and preferences. */
export const recipientToken = (
  keys: WorkspaceKeyring,
  scope: Scope,
  { messageId, emailIndex }: Pick<RecipientLink, 'messageId' | 'emailIndex'>,
): string => makeToken(keys, tokenHead('RECIPIENT', scope, messageId), Buffer.from(emailIndex, 'base64url'));

/** Returns the data of a token; null for an invalid or changed token. */
export async function readToken(keyring: Keyring, token: string): Promise<MailLink | null> {
  if (!TOKEN.test(token)) return null;
  const content = token.slice(0, -CODE_LETTERS);
  const code = Buffer.from(token.slice(-CODE_LETTERS));
  const known = (await linkKeys(keyring)).indexes(content, CONTEXT);
  if (!known.some((each) => timingSafeEqual(Buffer.from(each.slice(0, CODE_LETTERS)), code))) return null;
  return linkIn(Buffer.from(content, 'base64url'));
}

function linkIn(bytes: Buffer): MailLink | null {
  const first = bytes[0]!;
  const kind = KINDS[first & ~TEST_BIT];
  const scope: Scope = { workspaceId: uuidAt(bytes, 1), mode: first & TEST_BIT ? 'TEST' : 'LIVE' };
  const messageId = uuidAt(bytes, 1 + UUID_BYTES);
  const rest = bytes.subarray(HEAD_BYTES);
  if (kind === 'OPEN') return { kind, ...scope, messageId };
  if (kind === 'CLICK') return { kind, ...scope, messageId, url: rest.toString('utf8') };
  if (kind !== 'RECIPIENT' || rest.length !== INDEX_BYTES) return null;
  const hasMessage = !bytes.subarray(1 + UUID_BYTES, HEAD_BYTES).equals(NO_MESSAGE);
  return {
    ...{ kind, ...scope, messageId: hasMessage ? messageId : null },
    emailIndex: rest.toString('base64url'),
  };
}
