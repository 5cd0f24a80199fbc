import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { type AppError, httpStatusOf } from '@loyalty/platform/base/errors';
import fastify from 'fastify';
import type { Graph } from '../graph.ts';
import { limitBodies } from './body-limits.ts';

const ORDINARY = 256 * 1024 + 4 * 1024;
const LARGE = 300_000;

/** A server that answers 200 within the limits; here operations may have `LARGE` bytes. */
function server() {
  const app = fastify({ bodyLimit: 10 * LARGE });
  app.decorateRequest('refused', null);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    request.caller = request.headers.authorization ? { ...anonymous, kind: 'USER' } : anonymous;
  });
  limitBodies(app, { bytesMax: () => LARGE } as unknown as Graph);
  app.setErrorHandler<AppError>((error, _, reply) => reply.status(httpStatusOf(error)).send());
  app.post('/', async () => 'ok');
  return app;
}

/** Returns the request body of an operation with this many bytes. */
function body(bytes: number): Buffer {
  const start = '{"query":"{ a }","variables":{"text":"';
  return Buffer.from(`${start}${'x'.repeat(bytes - start.length - 3)}"}}`);
}

test.each([
  ['with a length', 'anybody', ORDINARY, body],
  ['of unknown length', 'anybody', ORDINARY, (bytes: number) => Readable.from([body(bytes)])],
  ['with a length', 'a signed-in caller', LARGE, body],
] as const)('a body %s of %s may have %i bytes, and not one more', async (_, caller, max, bodyOf) => {
  const app = server();
  const statusOf = async (bytes: number) => {
    const payload = bodyOf(bytes);
    const headers = {
      'content-type': 'application/json',
      ...(payload instanceof Readable && { 'transfer-encoding': 'chunked' }),
      ...(caller === 'a signed-in caller' && { authorization: 'Bearer key' }),
    };
    return (await app.inject({ method: 'POST', url: '/', headers, payload })).statusCode;
  };
  expect([await statusOf(max), await statusOf(max + 1)]).toEqual([200, 413]);
});
