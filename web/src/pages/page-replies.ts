import { pageHeaders } from '@loyalty/platform/http/page-headers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Texts } from './page-texts.ts';
import { textsFor } from './texts.ts';

/** Nothing from other origins, nothing inline, and no form is sent but by the script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Of every page, and of what it loads. */
export const guardedHeaders = {
  ...pageHeaders,
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** Sends a page in the language that is asked for. */
export function sendPage(
  { headers: asked }: FastifyRequest,
  reply: FastifyReply,
  render: (texts: Texts) => string,
): FastifyReply {
  const texts = textsFor(asked['accept-language']);
  reply.headers({ 'cache-control': 'no-store', 'content-language': texts.language, vary: 'Accept-Language' });
  return reply.type('text/html; charset=utf-8').send(render(texts));
}
