import { createHash } from 'node:crypto';

/** The ETag of an answer, from all parts that make it another one. */
export function entityTag(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 27)}"`;
}

/** What is written once, at its first request, and its ETag. */
export function writtenOnce(write: () => string): () => { readonly text: string; readonly etag: string } {
  let written: { readonly text: string; readonly etag: string } | undefined;
  return () => {
    if (!written) {
      const text = write();
      written = { text, etag: entityTag(text) };
    }
    return written;
  };
}

/**
 * Whether the client has the answer already: `If-None-Match` lists its ETag, weak or not, or is `*`
 * (RFC 9110, 13.1.2).
 */
export const hasEntityTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
