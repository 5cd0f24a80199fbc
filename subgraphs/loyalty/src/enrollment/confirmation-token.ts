import { createHash, randomBytes } from 'node:crypto';
import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/base/ids';

const RANDOM_BYTES = 32;

/**
 * The id of the workspace and 256 random bits for the link in a message, in URL-safe letters. So the reader's
 * enrollment is looked up in one workspace, although the reader has nothing but the link.
 */
export const newToken = (workspaceId: string): string => tokenOf(workspaceId, randomBytes(RANDOM_BYTES));

/** The same for the same keyed hash, which nobody can make without the workspace's key. */
export const repeatedToken = (workspaceId: string, keyedHash: string): string =>
  tokenOf(workspaceId, createHash('sha256').update(keyedHash).digest());

const tokenOf = (workspaceId: string, secret: Buffer): string =>
  Buffer.concat([uuidToBytes(workspaceId), secret]).toString('base64url');

/** Null for what is no token. */
export function workspaceOf(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length === UUID_BYTES + RANDOM_BYTES ? uuidAt(bytes) : null;
}

/** All that is stored of a token. It is random enough that no salt or slow hash is called for. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
