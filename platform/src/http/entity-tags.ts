import { createHash } from 'node:crypto';

/** The ETag of an answer, from all parts that make it another one. */
export function entityTag(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the client has the answer already: `If-None-Match` lists its ETag, weak or not, or is `*`
 * (RFC 9110, 13.1.2).
 */
export const hasEntityTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
