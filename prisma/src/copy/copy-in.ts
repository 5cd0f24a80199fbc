import pg from 'pg';

/** What the driver has of a connection that takes rows; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Runs `COPY … FROM STDIN`. Rows are one text, to be of bounded size, or pieces as `binaryRows` makes them.
 *
 * @returns how many rows were written
 * @throws what the making of the pieces throws; nothing is written then
 */
export function copyIn(
  client: pg.ClientBase,
  text: string,
  rows: string | Iterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query({ text }, undefined as never) as pg.Query & {
      callback: (error: Error | null, result?: pg.QueryResult) => void;
      handleCopyInResponse: (connection: CopyConnection) => void;
    };
    let failure: unknown;
    query.callback = (error, result) => (error ? reject(failure ?? error) : resolve(result?.rowCount ?? 0));
    query.handleCopyInResponse = (connection) => {
      try {
        const pieces = typeof rows === 'string' ? [Buffer.from(rows)] : rows;
        for (const piece of pieces) connection.sendCopyFromChunk(piece);
        connection.endCopyFrom();
      } catch (error) {
        failure = error;
        connection.sendCopyFail('the rows could not be made');
      }
    };
    client.query(query);
  });
}
