import { statementName } from '@loyalty/prisma/statements';
import pg from 'pg';

/** Texts that are prepared at most: some hold names or times, and never come again. */
const TEXTS_MAX = 500;
const sent = new Set<string>();

/**
 * A connection of the job queue, as the `Client` of a pool. pg-boss sends the same statements over and over
 * and names none, so that PostgreSQL would plan each one at each call. What is sent again is prepared here.
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

/** Whether it is one statement that was sent before. Several in one text cannot be prepared. */
function isRepeated(text: unknown): text is string {
  if (typeof text !== 'string' || text.includes(';')) return false;
  if (sent.has(text)) return true;
  if (sent.size < TEXTS_MAX) sent.add(text);
  return false;
}
