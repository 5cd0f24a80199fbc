import pg from 'pg';

/** What the driver has of a connection that takes rows; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Runs `COPY … FROM STDIN` in the text format. The rows are one piece, so they are to be of bounded size.
 *
 * @returns how many rows were written
 */
export function copyIn(client: pg.ClientBase, text: string, rows: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query({ text }, undefined as never) as pg.Query & {
      callback: (error: Error | null, result?: pg.QueryResult) => void;
      handleCopyInResponse: (connection: CopyConnection) => void;
    };
    query.callback = (error, result) => (error ? reject(error) : resolve(result?.rowCount ?? 0));
    query.handleCopyInResponse = (connection) => {
      connection.sendCopyFromChunk(Buffer.from(rows));
      connection.endCopyFrom();
    };
    client.query(query);
  });
}
