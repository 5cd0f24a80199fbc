import type { FastifyReply } from 'fastify';

/** Adds names of request headers to `Vary`. */
export function addVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}

/** The `Vary` of an answer that depends on the caller. */
export const CALLERS_VARY = 'Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept';
