import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '../base/caller.ts';
import { addMs, MINUTE_MS } from '../base/clock.ts';
import { UUID_BYTES, uuidAt, uuidToBytes } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { type Keyring, PLATFORM_WORKSPACE_ID } from '../crypto/keyring.ts';
import { publicUrl } from '../outbound/public-url.ts';

// A token consists of its content in base64url and a code that authenticates it, as in links of mails.

/** Time for which a link is valid. */
const VALID_MS = 15 * MINUTE_MS;
/** Length of the code: 43 characters of base64url, 256 bits. */
const CODE_LETTERS = 43;
const SECONDS_BYTES = 6;
const CONTENT_BYTES = 1 + 2 * UUID_BYTES + SECONDS_BYTES;
const TOKEN = new RegExp(`^[\\w-]{${(CONTENT_BYTES / 3) * 4 + CODE_LETTERS}}$`);

/** A kind of links to files. */
export interface LinkKind {
  /** First segment of the path, such as `downloads`. */
  readonly path: string;
  /** Context of the codes: a token of one kind is not valid for another. */
  readonly context: string;
}

/** The file of a link. */
export interface SignedLink extends Scope {
  readonly id: string;
}

/** Returns a link to a file, valid for fifteen minutes. No further credential is needed. */
export async function signedUrl(ctx: Context, { path, context }: LinkKind, id: string): Promise<string> {
  const { workspaceId, mode } = ctx.scope;
  const until = Buffer.alloc(SECONDS_BYTES);
  until.writeUIntBE(Math.floor(addMs(ctx.clock.now(), VALID_MS).getTime() / 1_000), 0, SECONDS_BYTES);
  const content = Buffer.concat([
    Buffer.of(mode === 'TEST' ? 1 : 0),
    uuidToBytes(workspaceId),
    uuidToBytes(id),
    until,
  ]).toString('base64url');
  const keys = await ctx.services.keyring.of(PLATFORM_WORKSPACE_ID);
  return `${publicUrl(ctx.services.config)}/${path}/${content}${keys.index(content, context)}`;
}

/** Verifies a link and returns its file; null if the link is forged, altered or expired. */
export async function readSignedLink(
  keyring: Keyring,
  { context }: LinkKind,
  token: string,
  now: Date,
): Promise<SignedLink | null> {
  if (!TOKEN.test(token)) return null;
  const content = token.slice(0, -CODE_LETTERS);
  const code = Buffer.from(token.slice(-CODE_LETTERS));
  const known = (await keyring.of(PLATFORM_WORKSPACE_ID)).indexes(content, context);
  if (!known.some((each) => timingSafeEqual(Buffer.from(each), code))) return null;
  const bytes = Buffer.from(content, 'base64url');
  const until = bytes.readUIntBE(1 + 2 * UUID_BYTES, SECONDS_BYTES) * 1_000;
  if (until <= now.getTime()) return null;
  return {
    workspaceId: uuidAt(bytes, 1),
    mode: bytes[0] === 1 ? 'TEST' : 'LIVE',
    id: uuidAt(bytes, 1 + UUID_BYTES),
  };
}
