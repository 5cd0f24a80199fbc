import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import fastify, { type FastifyInstance } from 'fastify';
import { sendRestError } from './http-errors.ts';
import { limitLargeBodies } from './large-bodies.ts';
import { answerErrors } from './unreadable-requests.ts';

const BOUNDS = { bytes: 1_000, heldMax: 2, waitingMax: 2, waitMs: 60_000 };
const LARGE = JSON.stringify('a'.repeat(20_000));
const SMALL = JSON.stringify('a'.repeat(100));

let app: FastifyInstance;
let url: string;
/** Functions that each end a request, in the order in which the requests began. */
let ends: (() => void)[];

async function serve(bounds: Partial<typeof BOUNDS> = {}): Promise<void> {
  app = fastify();
  ends = [];
  limitLargeBodies(app, { ...BOUNDS, ...bounds });
  answerErrors(app, sendRestError);
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  const begin = () => new Promise<string>((resolve) => ends.push(() => resolve('"done"')));
  app.post('/', begin);
  app.post('/bounded', { bodyLimit: 900 }, begin);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
}

beforeEach(() => serve());
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

interface Sending {
  readonly type?: string;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

const post = (
  body: string | ReadableStream,
  { type = 'application/json', path = '/', signal }: Sending = {},
): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    duplex: 'half',
    signal: signal ?? null,
  } as RequestInit);

const inChunks = (text: string): ReadableStream => new Blob([text]).stream();

const begun = (count: number): Promise<void> => eventually(async () => expect(ends).toHaveLength(count));

function endAll(): void {
  for (const end of ends.splice(0)) end();
}

test('so many large bodies are held at once, the others in their turn', async () => {
  const answers = [post(LARGE), post(inChunks(LARGE)), post(LARGE), post(inChunks(LARGE))];
  await begun(2);
  endAll();
  await begun(2);
  endAll();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
});

test('one more than can wait is refused with a time to come back', async () => {
  const answers = [post(LARGE), post(LARGE)];
  await begun(2);
  const more = await Promise.race([post(LARGE), post(LARGE), post(LARGE)]);
  expect(more.status).toBe(503);
  expect(more.headers.get('x-error-code')).toBe('UPLOADS_BUSY');
  expect(more.headers.get('retry-after')).toBe('5');
  endAll();
  await begun(2);
  endAll();
  await Promise.all(answers);
});

test('one that waits for too long is refused, and takes no place afterwards', async () => {
  await app.close();
  await serve({ heldMax: 1, waitMs: 50 });
  const first = post(LARGE);
  await begun(1);
  expect((await post(LARGE)).status).toBe(503);
  endAll();
  expect((await first).status).toBe(200);
  const next = post(LARGE);
  await begun(1);
  endAll();
  expect((await next).status).toBe(200);
});

test('a client that goes leaves its place to the next', async () => {
  await app.close();
  await serve({ heldMax: 1 });
  const client = new AbortController();
  const gone = post(LARGE, { signal: client.signal });
  await begun(1);
  const next = post(LARGE);
  client.abort();
  await expect(gone).rejects.toThrow();
  await begun(2);
  endAll();
  expect((await next).status).toBe(200);
});

test.each([
  ['small ones', () => post(SMALL)],
  ['small ones in chunks', () => post(inChunks(SMALL))],
  ['files that are read as streams', () => post(LARGE, { type: 'text/csv' })],
  ['routes for small ones', () => post(SMALL, { path: '/bounded' })],
])('%s wait for nobody', async (_, send) => {
  const large = [post(LARGE), post(LARGE)];
  await begun(2);
  const others = [send(), send(), send(), send(), send()];
  await begun(7);
  endAll();
  for (const { status } of await Promise.all([...large, ...others])) expect(status).toBe(200);
});
