import { expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { useStack } from '../harness/stack.ts';

const stack = useStack({ settings: { TRUST_PROXY: 1 } });

/** The number of requests that the client, the last address of the header, may still send in this minute. */
async function remaining(forwarded: string, path = '/api/v2/members'): Promise<number> {
  const { headers } = await stack.rest('GET', path, { headers: { 'x-forwarded-for': forwarded } });
  return Number(/;r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
}

test('what a client writes into X-Forwarded-For gives the client no other address', async () => {
  const client = '203.0.113.7';
  const before = await remaining(client);
  expect(await remaining(`198.51.100.1, ${client}`)).toBe(before - 1);
  expect(await remaining(`198.51.100.2,198.51.100.3, ${client}`)).toBe(before - 2);
  expect(await remaining(`unknown, ${client}`, '/graphql?query={__typename}')).toBe(before - 3);
  expect(await remaining('203.0.113.8')).toBe(before);
  const signed = { 'x-forwarded-for': client, 'x-loyalty-client-address': '198.51.100.4' };
  const { headers } = await stack.rest('GET', '/api/v2/members', { headers: signed });
  expect(headers.get('ratelimit')).toContain(`;r=${before - 4};`);
});

test('sockets are counted by the same address', async () => {
  const client = '203.0.113.20';
  const before = await remaining(client);
  const socket = new WebSocket(`${stack.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { 'x-forwarded-for': `198.51.100.9, ${client}` },
  });
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', resolve);
  });
  socket.close();
  expect(await remaining(client)).toBe(before - 2);
});
