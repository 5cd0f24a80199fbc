import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPoster, type Poster } from './http-post.ts';

const TIMEOUT_MS = 500;
const ANSWER_MS = 2_500;

/** Answers some time after the body was read. */
const slow = createServer((request, response) => {
  request.resume().once('end', () => setTimeout(() => response.end('done'), ANSWER_MS));
});
let poster: Poster;
beforeAll(async () => {
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  poster = createPoster(url, { timeoutMs: TIMEOUT_MS, answerBytesMax: 100 });
});
afterAll(async () => {
  await poster.close();
  slow.close();
});

test('a request that brings a file is given longer than others, which are given up', async () => {
  const [short, long] = await Promise.allSettled([
    poster.post('{}', {}),
    poster.post('x'.repeat(300 * 1024), {}),
  ]);
  expect(short.status).toBe('rejected');
  expect(long).toMatchObject({ status: 'fulfilled', value: { status: 200, body: Buffer.from('done') } });
});
