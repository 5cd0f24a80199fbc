import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';

/** What the driver has of a connection that takes rows; its types leave it out. */
interface CopyConnection {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Runs `COPY … FROM STDIN`. Rows are one text, to be of bounded size, or pieces as `binaryRows` makes them.
 * Each piece is made once PostgreSQL has taken the one before, and other work of the process goes on between.
 *
 * @returns how many rows were written
 * @throws what the making of the pieces throws; nothing is written then
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
        // PostgreSQL has refused a row, or the connection is gone: the caller knows.
        if (ended.signal.aborted) return;
        failure = error;
        connection.sendCopyFail('the rows could not be made');
      });
    };
    client.query(query);
  });
}

/** @throws Error once the signal aborts; nothing is sent afterwards, because the connection has other work */
async function sendPieces(
  connection: CopyConnection,
  pieces: Iterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  for (const piece of pieces) {
    connection.sendCopyFromChunk(piece);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
    // A socket that takes everything at once drains before anything else has its turn.
    await setImmediate(undefined, { signal });
  }
  connection.endCopyFrom();
}
