import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { largeBodyBounds } from '@loyalty/platform/http/large-bodies';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
let key: string;
beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['model:data:write', 'members:write'])).secret;
});

const LENGTH = 2 * largeBodyBounds.bytes;

/** Begins a large request and never finishes its body. */
async function begin(path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(stack.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${LENGTH}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"query":"${'a'.repeat(largeBodyBounds.bytes + 100_000)}`);
  return socket;
}

const post = async (path: string, length: number): Promise<number> => {
  const response = await fetch(stack.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: 'a'.repeat(length) }),
  });
  await response.text();
  return response.status;
};

test.each(['/graphql', '/api/v1/data', '/api/v2/members/import'])(
  'large bodies to %s wait for those that the process holds, small ones do not',
  async (path) => {
    const held = await Promise.all(Array.from({ length: largeBodyBounds.heldMax }, () => begin(path)));
    // A request is answered at once as long as the product has not read enough of the others.
    const large = await eventually(async () => {
      const sent = post(path, LENGTH);
      expect(await Promise.race([sent, delay(300, 'waiting')])).toBe('waiting');
      return { sent };
    });
    expect(await post(path, 100)).toBeLessThan(500);
    for (const socket of held) socket.destroy();
    expect(await large.sent).toBeLessThan(500);
  },
);
