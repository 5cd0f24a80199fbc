import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { entityTag, hasEntityTag } from '@loyalty/platform/http/entity-tags';
import { pageHeaders } from '@loyalty/platform/http/page-headers';
import { addVary } from '@loyalty/platform/http/vary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(brotliCompress);
/** A text of 1 MB takes 20 ms. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A text that many clients read, with its ETag. */
export interface ServedText {
  readonly text: string;
  readonly etag: string;
  /** The same in brotli, computed when it is first asked for. */
  readonly packed: () => Promise<Buffer>;
}

/** A text that can be sent. */
export function servedText(text: string): ServedText {
  let packed: Promise<Buffer> | undefined;
  return {
    text,
    etag: entityTag(text),
    packed: () => {
      packed ??= compress(text, FAST);
      return packed;
    },
  };
}

/**
 * The content security policy of a reference: everything comes from and goes to its own origin.
 *
 * @param more - further directives, or others in place of these
 */
export const referencePolicy = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self' data:",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

export const referenceHeaders = { ...pageHeaders, 'content-security-policy': referencePolicy() } as const;

/** Sends a text, in brotli where the client can unpack it, or 304 where the client has it. */
export async function sendText(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { text, etag, packed }: ServedText,
): Promise<FastifyReply> {
  addVary(reply, 'Accept-Encoding');
  // Weak, since the plain text and the packed one have the same.
  reply.header('etag', `W/${etag}`).type(type);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  if (hasEntityTag(headers['if-none-match'], etag)) return reply.status(304).send();
  if (!/\bbr\b/.test(String(headers['accept-encoding']))) return reply.send(text);
  return reply.header('content-encoding', 'br').send(await packed());
}

const KEPT_SECONDS = 365 * 24 * 3_600;

/**
 * Sends a built file. Its name has a hash, so browsers keep it for a year.
 *
 * @param hasPacked - whether the same file is beside it in brotli, with the ending `.br`
 */
export function sendBuilt(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  path: string,
  hasPacked: boolean,
): FastifyReply {
  const isPacked = hasPacked && /\bbr\b/.test(String(headers['accept-encoding']));
  if (hasPacked) addVary(reply, 'Accept-Encoding');
  if (isPacked) reply.header('content-encoding', 'br');
  return reply
    .header('cache-control', `public, max-age=${KEPT_SECONDS}, immutable`)
    .type(type)
    .send(createReadStream(isPacked ? `${path}.br` : path));
}

/** Serves a text at these addresses. It is written at its first request. */
export function addText(
  app: FastifyInstance,
  paths: readonly string[],
  type: string,
  write: () => string,
): void {
  let written: ServedText | undefined;
  for (const path of paths)
    app.get(path, async (request, reply) => {
      written ??= servedText(write());
      return sendText(request, reply, type, written);
    });
}
