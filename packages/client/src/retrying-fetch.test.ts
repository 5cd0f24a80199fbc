import { expect, test } from '@jest/globals';
import { retryingFetch } from './retrying-fetch.ts';

const POST = () => new Request('http://127.0.0.1/points', { method: 'POST', body: '{}' });

/** A server that returns these answers in turn and records the requests. */
function answering(...answers: readonly (Response | Error)[]) {
  const sent: Request[] = [];
  return {
    sent,
    send: async (request: Request): Promise<Response> => {
      sent.push(request);
      const answer = answers[Math.min(sent.length, answers.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return answer.clone();
    },
  };
}

const refused = (status: number, retryAfter?: string) =>
  new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
const done = new Response('{}', { status: 201 });
const quick = { pauseMs: 1 };

test('a write is repeated under one Idempotency-Key, with its body', async () => {
  const { sent, send } = answering(refused(503), new TypeError('fetch failed'), refused(429, '0'), done);
  expect((await retryingFetch(send, quick)(POST())).status).toBe(201);
  const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
  expect([sent.length, keys.size, [...keys][0]?.length]).toEqual([4, 1, 36]);
  expect(await Promise.all(sent.map((request) => request.text()))).toEqual(['{}', '{}', '{}', '{}']);
});

test('a key that the caller gives is kept; reads have none', async () => {
  const { sent, send } = answering(done);
  const own = new Request('http://127.0.0.1/', { method: 'POST', headers: { 'idempotency-key': 'mine' } });
  await retryingFetch(send)(own);
  await retryingFetch(send)(new Request('http://127.0.0.1/'));
  expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', null]);
});

test.each([400, 401, 404, 409, 422, 500])('%i is an answer: it is not asked again', async (status) => {
  const { sent, send } = answering(refused(status));
  expect((await retryingFetch(send, quick)(POST())).status).toBe(status);
  expect(sent).toHaveLength(1);
});

test('a conflict that names a time to wait is asked again', async () => {
  const { sent, send } = answering(refused(409, '0'), done);
  expect((await retryingFetch(send, quick)(POST())).status).toBe(201);
  expect(sent).toHaveLength(2);
});

test('after the last attempt the answer is returned, and the failure thrown', async () => {
  const away = answering(refused(503));
  expect((await retryingFetch(away.send, { ...quick, attempts: 3 })(POST())).status).toBe(503);
  expect(away.sent).toHaveLength(3);
  const cut = answering(new TypeError('fetch failed'));
  await expect(retryingFetch(cut.send, { ...quick, attempts: 2 })(POST())).rejects.toThrow('fetch failed');
});

test('it does not wait longer than it may, whatever the server says', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  for (const wait of ['3600', date]) {
    const { sent, send } = answering(refused(429, wait), done);
    expect((await retryingFetch(send, { totalMs: 1_000 })(POST())).status).toBe(429);
    expect(sent).toHaveLength(1);
  }
});

test('an attempt that hangs fails when the time is up', async () => {
  const send = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  await expect(retryingFetch(send, { totalMs: 50 })(POST())).rejects.toThrow(/timeout/i);
});

test('a call that is aborted ends its pause', async () => {
  const { send } = answering(refused(503, '30'));
  const stopped = new AbortController();
  const request = new Request('http://127.0.0.1/', { signal: stopped.signal });
  const call = retryingFetch(send)(request);
  stopped.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});
