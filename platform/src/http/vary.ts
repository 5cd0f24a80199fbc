import type { FastifyReply } from 'fastify';

/** Adds to what an answer depends on besides its address. */
export function addVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}

/** What an answer that belongs to a caller depends on. */
export const CALLERS_VARY = 'Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept';
