import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '../base/caller.ts';
import { addMs, MINUTE_MS } from '../base/clock.ts';
import { UUID_BYTES, uuidAt, uuidToBytes } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { type Keyring, PLATFORM_WORKSPACE_ID } from '../crypto/keyring.ts';
import { publicUrl } from '../outbound/public-url.ts';

// A token is what it names, in base64url, followed by a code that authenticates it, as in links of mails.

/** How long a link leads to its file. */
const VALID_MS = 15 * MINUTE_MS;
/** 43 letters of base64url: 256 bits. */
const CODE_LETTERS = 43;
const SECONDS_BYTES = 6;
const CONTENT_BYTES = 1 + 2 * UUID_BYTES + SECONDS_BYTES;
const TOKEN = new RegExp(`^[\\w-]{${(CONTENT_BYTES / 3) * 4 + CODE_LETTERS}}$`);

/** Links to files of one kind. */
export interface LinkKind {
  /** The first part of their path, such as `downloads`. */
  readonly path: string;
  /** What their codes are made for: the token of one kind is none of another. */
  readonly context: string;
}

/** The file that a link leads to. */
export interface SignedLink extends Scope {
  readonly id: string;
}

/** The address of a file for the next fifteen minutes; whoever has it gets the file. */
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

/** What a link leads to at this time; null where it was not made here, was changed, or is too old. */
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
