import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

const PAGE = 25;

const cursorOf = (from: number): string => Buffer.from(String(from)).toString('base64url');

/** Twenty-five items after a cursor. @throws ProtocolError for a cursor that no page gave */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
): { items: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  if (from % PAGE !== 0 || from < 0 || (cursor !== undefined && cursor !== cursorOf(from)))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none that this server gave.');
  const end = from + PAGE;
  return { items: all.slice(from, end), ...(end < all.length && { nextCursor: cursorOf(end) }) };
}
