import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { followSilentConnections } from './silent-connections.ts';

test('a connection that never asked for anything does not keep a server from closing', async () => {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endSilent = followSilentConnections(server);
  const { port } = server.address() as AddressInfo;
  const [silent, busy] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  const ends = Promise.all([once(silent, 'close'), once(busy, 'close')]);
  busy.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const [answer] = await once(busy, 'data');
  expect(String(answer)).toContain('here');
  const closed = once(server, 'close');
  server.close();
  endSilent();
  await Promise.all([closed, ends]);
});
