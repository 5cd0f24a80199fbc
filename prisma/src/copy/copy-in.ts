import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';

/** The driver's internals of a COPY connection, which its types omit. */
interface CopyConnection {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Runs `COPY … FROM STDIN`. Rows are one text of limited size, or pieces of `binaryRows`. Each piece is made
 * after PostgreSQL has accepted the previous one, and other work of the process continues in between.
 *
 * @returns the number of written rows
 * @throws errors of making the pieces; then no row is written
 */
export function copyIn(
  client: pg.ClientBase,
  text: string,
  rows: string | Iterable<Buffer>,
): Promise<number> {
  const pieces = typeof rows === 'string' ? [Buffer.from(rows)] : rows;
  return new Promise((resolve, reject) => {
    const query = new pg.Query({ text }, undefined as never) as pg.Query & {
      callback: (error: Error | null, result?: pg.QueryResult) => void;
      handleCopyInResponse: (connection: CopyConnection) => void;
    };
    const ended = new AbortController();
    let failure: unknown;
    query.callback = (error, result) => {
      ended.abort();
      if (error) reject(failure ?? error);
      else resolve(result?.rowCount ?? 0);
    };
    query.handleCopyInResponse = (connection) => {
      sendPieces(connection, pieces, ended.signal).catch((error: unknown) => {
        // PostgreSQL has refused a row, or the connection is lost; the caller already has the error.
        if (ended.signal.aborted) return;
        failure = error;
        connection.sendCopyFail('the rows could not be made');
      });
    };
    client.query(query);
  });
}

/** @throws Error once the signal aborts; then nothing more is sent, because the connection has other work */
async function sendPieces(
  connection: CopyConnection,
  pieces: Iterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  for (const piece of pieces) {
    connection.sendCopyFromChunk(piece);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
    // A socket that accepts everything at once would otherwise let no other work run.
    await setImmediate(undefined, { signal });
  }
  connection.endCopyFrom();
}
