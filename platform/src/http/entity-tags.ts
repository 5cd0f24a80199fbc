import { createHash } from 'node:crypto';

/** Returns an ETag that changes with each of the parts. */
export function entityTag(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 27)}"`;
}

/**
 * Returns whether the client already has the answer: `If-None-Match` lists its ETag, weak or strong, or is
 * `*` (RFC 9110, 13.1.2).
 */
export const hasEntityTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
