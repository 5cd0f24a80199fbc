import { statementName } from '@loyalty/prisma/statements';
import pg from 'pg';

/** Maximum of prepared texts. Some texts contain names or times and never occur again. */
const TEXTS_MAX = 500;
const sent = new Set<string>();

/**
 * A connection of the job queue, as the `Client` of a pool. pg-boss repeats the same statements without
 * names, so PostgreSQL would plan each of them at each call. This client prepares repeated statements.
 */
export function QueueClient(settings: pg.ClientConfig): pg.Client {
  const client = new pg.Client(settings);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((text: unknown, values: unknown, callback: unknown) =>
    isRepeated(text)
      ? query({ name: statementName(text), text, values }, callback)
      : query(text, values, callback)) as never;
  return client;
}

/**
 * Returns whether the text is a single statement that was sent before. Several statements in one text cannot
 * be prepared.
 */
function isRepeated(text: unknown): text is string {
  if (typeof text !== 'string' || text.includes(';')) return false;
  if (sent.has(text)) return true;
  if (sent.size < TEXTS_MAX) sent.add(text);
  return false;
}
