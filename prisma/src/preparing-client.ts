import pg from 'pg';
import { statementName } from './statements.ts';

/** Texts that are prepared at most: some hold names or times, and never come again. */
const TEXTS_MAX = 500;
const prepared = new Set<string>();

/**
 * A connection for a library that sends the same statements over and over and names none, so that PostgreSQL
 * would plan each one at each call. What is sent again is prepared.
 */
export class PreparingClient extends pg.Client {
  override query = ((text: unknown, values: unknown, callback: unknown) =>
    isRepeated(text)
      ? super.query({ name: statementName(text), text, values } as never, callback as never)
      : super.query(text as never, values as never, callback as never)) as pg.Client['query'];
}

/** Whether it is one statement that was sent before. Several in one text cannot be prepared. */
function isRepeated(text: unknown): text is string {
  if (typeof text !== 'string' || text.includes(';')) return false;
  if (prepared.has(text)) return true;
  if (prepared.size < TEXTS_MAX) prepared.add(text);
  return false;
}
