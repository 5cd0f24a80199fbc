import { createHash, randomBytes } from 'node:crypto';

const WORKSPACE_BYTES = 16;
const RANDOM_BYTES = 32;

/**
 * The id of the workspace and 256 random bits for the link in a message, in URL-safe letters. So the reader's
 * enrollment is looked up in one workspace, although the reader has nothing but the link.
 */
export function newToken(workspaceId: string): string {
  const workspace = Buffer.from(workspaceId.replaceAll('-', ''), 'hex');
  return Buffer.concat([workspace, randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/** Null for what is no token. */
export function workspaceOf(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== WORKSPACE_BYTES + RANDOM_BYTES) return null;
  const hex = bytes.toString('hex', 0, WORKSPACE_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** All that is stored of a token. It is random enough that no salt or slow hash is called for. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
