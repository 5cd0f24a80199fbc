import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A fault: what the address does in place of an answer of the scorer. */
export type Behave = (response: ServerResponse) => void;

/** A proxy in front of a scorer that can simulate faults. */
export interface FaultyScorer {
  readonly url: string;
  /** The number of requests so far. */
  asked: number;
  /** The current fault; null lets the scorer answer. */
  behave: Behave | null;
  close(): void;
}

export async function faultyScorer(scorerUrl: string): Promise<FaultyScorer> {
  const server = createServer(async (request, response) => {
    faulty.asked += 1;
    const body = await buffer(request);
    if (faulty.behave) return faulty.behave(response);
    const { 'content-length': _length, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(scorerUrl + request.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const faulty: FaultyScorer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    behave: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return faulty;
}
