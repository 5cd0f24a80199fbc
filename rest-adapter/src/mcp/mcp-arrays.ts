import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';

/**
 * The only revision of the protocol that has arrays of messages. Its clients do not send the revision header.
 */
const REVISION = '2025-03-26';
const MESSAGES_MAX = 20;

/** A protocol error that does not belong to a single message. */
interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Returns the error if the body is an array of messages that is not allowed, otherwise null. Each message
 * counts as a request for the rate limit; the first was counted with the HTTP request.
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

/**
 * Returns null if the body is no array. A body that is not valid JSON is refused later, by the MCP handler.
 */
function messagesIn(body: unknown): readonly unknown[] | null {
  // The body may begin with a byte order mark. `trimStart` removes it, as other readers do.
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
