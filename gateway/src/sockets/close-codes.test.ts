import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createClient, GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import WebSocket, { WebSocketServer } from 'ws';
import { closeCodes, closeReason, type Ending, endingOf } from './close-codes.ts';

const table = Object.entries(closeCodes);

test.each(table)('%s fits into a close frame, and its code names it', (name, { code, sentence }) => {
  expect(Buffer.byteLength(sentence)).toBeLessThanOrEqual(123);
  expect(endingOf(code)).toBe(name);
});

test.each(table)(
  'the client of graphql-ws retries after %s as the table says',
  async (_, { code, isRetried }) => {
    const server = new WebSocketServer({ port: 0, handleProtocols: () => GRAPHQL_TRANSPORT_WS_PROTOCOL });
    await once(server, 'listening');
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      if (connections === 1) socket.close(code);
    });
    const ended = Promise.withResolvers<unknown>();
    const client = createClient({
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      webSocketImpl: WebSocket,
      retryWait: async () => undefined,
      on: { opened: () => connections === 2 && ended.resolve('retried') },
    });
    client.subscribe(
      { query: 'subscription { any }' },
      { next: () => undefined, error: ended.resolve, complete: () => ended.resolve('complete') },
    );
    const end = await ended.promise;
    if (isRetried) expect(end).toBe('retried');
    else expect(end).toMatchObject({ code });
    client.terminate();
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  },
);

test('the sentence of an error goes into the frame where it fits', () => {
  const ending: Ending = 'CREDENTIAL_REFUSED';
  expect(closeReason(ending, new Error('Sign in again.'))).toBe('Sign in again.');
  expect(closeReason(ending, new Error('é'.repeat(62)))).toBe(closeCodes[ending].sentence);
});
