import { createHash, randomBytes } from 'node:crypto';
import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/base/ids';

const RANDOM_BYTES = 32;

/**
 * Returns the id of the workspace and 256 random bits, in URL-safe letters, for the link in a message. Thanks
 * to the id the enrollment is searched in one workspace, although the reader has only the link.
 */
export const newToken = (workspaceId: string): string => tokenOf(workspaceId, randomBytes(RANDOM_BYTES));

/** Returns the same token for the same keyed hash, which cannot be made without the workspace's key. */
export const repeatedToken = (workspaceId: string, keyedHash: string): string =>
  tokenOf(workspaceId, createHash('sha256').update(keyedHash).digest());

const tokenOf = (workspaceId: string, secret: Buffer): string =>
  Buffer.concat([uuidToBytes(workspaceId), secret]).toString('base64url');

/** Returns null for a text that is not a token. */
export function workspaceOf(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length === UUID_BYTES + RANDOM_BYTES ? uuidAt(bytes) : null;
}
