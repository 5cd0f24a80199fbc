import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';

/** The only revision that has arrays of messages. Its clients name no revision in the header. */
const REVISION = '2025-03-26';
const MESSAGES_MAX = 20;

/** An error of the protocol that belongs to no message. */
interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Why the body may not be the array of messages that it is; null where it may, and where it is none. Each
 * message counts as a request: the first was counted with the HTTP request.
 *
 * @throws AppError RATE_LIMITED (429)
 */
export async function arrayRefusal(request: FastifyRequest): Promise<Refusal | null> {
  const messages = messagesIn(request.body);
  if (!messages) return null;
  const revision = request.headers['mcp-protocol-version'] ?? REVISION;
  if (revision !== REVISION) return refusal(`Revision ${REVISION} alone has arrays: send one message.`);
  if (messages.length > MESSAGES_MAX) return refusal(`An array has at most ${MESSAGES_MAX} messages.`);
  const further = messages.length - 1;
  const limited = further > 0 ? await request.countFurther?.(further) : null;
  if (limited) throw limited;
  return null;
}

/** Null where the body is no array; a body that is no JSON is refused by whoever reads it. */
function messagesIn(body: unknown): readonly unknown[] | null {
  // It may begin with a byte order mark, which counts as a space here and is dropped by others.
  const text = typeof body === 'string' ? body.trimStart() : '';
  if (!text.startsWith('[')) return null;
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return null;
  }
}

const refusal = (message: string): Refusal => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message },
});
