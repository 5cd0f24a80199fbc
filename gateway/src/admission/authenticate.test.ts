import { afterEach, expect, test } from '@jest/globals';
import { fixedClock } from '@loyalty/platform/base/clock';
import { createMemoryLive } from '@loyalty/platform/live/live-memory';
import type { ExecutionResult } from 'graphql';
import { answering } from '../transport/transport.fixture.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';

let asked: Record<string, unknown>[] = [];
let answer: ExecutionResult;
/** The workspace subgraph answers after this promise is resolved. */
let gate: Promise<void> = Promise.resolve();
const workspace = answering(async ({ variables }) => {
  asked.push(variables as Record<string, unknown>);
  await gate;
  return answer;
});
const live = createMemoryLive();
const clock = fixedClock('2026-03-02T10:00:00Z');
let open: Authenticator[] = [];
const authenticator = (): Authenticator => {
  const made = createAuthenticator(workspace, live, clock);
  open.push(made);
  asked = [];
  answer = {
    data: {
      _caller: {
        caller: { actor: 'key:k1', workspaceId: 'w1', kind: 'KEY' },
        expiresAt: '2026-03-02T11:00:00Z',
      },
    },
  };
  return made;
};
afterEach(() => {
  for (const made of open) made.close();
  open = [];
});

const eventsDelivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('no credential is an anonymous caller, and nobody is asked', async () => {
  expect((await authenticator().authenticate({}, 'r')).kind).toBe('ANONYMOUS');
  expect(asked).toEqual([]);
});

test('a credential is resolved once, also for calls at the same time', async () => {
  const auth = authenticator();
  await Promise.all([1, 2, 3].map(() => auth.authenticate({ authorization: 'Bearer lk_live_x' }, 'r')));
  await auth.authenticate({ apiKey: 'lk_live_x' }, 'r');
  expect(asked).toEqual([{ credential: 'lk_live_x', mode: 'LIVE', workspaceId: null }]);
});

test('the two modes of one credential are two answers', async () => {
  const auth = authenticator();
  await auth.authenticate({ authorization: 'Bearer t', mode: 'test' }, 'r');
  await auth.authenticate({ authorization: 'Bearer t' }, 'r');
  expect(asked.map(({ mode }) => mode)).toEqual(['TEST', 'LIVE']);
});

test('the workspaces of one credential are an answer each, however their ids are written', async () => {
  const auth = authenticator();
  const ids = ['0197a3c2-5f1a-7d02-8c44-9be1c07d6a21', '0197a3c2-5f1a-7d02-8c44-9be1c07d6a22'] as const;
  const authorization = 'Bearer t';
  for (const workspace of [ids[0], ids[1], undefined, ids[0].toUpperCase()])
    await auth.authenticate({ authorization, workspace }, 'r');
  expect(asked.map(({ workspaceId }) => workspaceId)).toEqual([ids[0], ids[1], null]);
});

test('two credentials at once are two answers', async () => {
  const auth = authenticator();
  await Promise.all(['t', 'u'].map((apiKey) => auth.authenticate({ apiKey }, 'r')));
  expect(asked.map(({ credential }) => credential)).toEqual(['t', 'u']);
});

test.each(['key:k1', 'workspace:w1'])('a live event about %s drops what is kept', async (subject) => {
  const auth = authenticator();
  await auth.authenticate({ apiKey: 'x' }, 'r');
  await live.publish('credentials', subject);
  await eventsDelivered();
  await auth.authenticate({ apiKey: 'x' }, 'r');
  expect(asked).toHaveLength(2);
});

test('a live event about another credential keeps it', async () => {
  const auth = authenticator();
  await auth.authenticate({ apiKey: 'x' }, 'r');
  await live.publish('credentials', 'key:k2');
  await eventsDelivered();
  await auth.authenticate({ apiKey: 'x' }, 'r');
  expect(asked).toHaveLength(1);
});

test('an answer that was under way when something changed is not kept', async () => {
  const auth = authenticator();
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const first = auth.authenticate({ apiKey: 'x' }, 'r');
  await live.publish('credentials', 'key:k1');
  await eventsDelivered();
  opened.resolve();
  await first;
  await auth.authenticate({ apiKey: 'x' }, 'r');
  expect(asked).toHaveLength(2);
});

test('no later call shares an answer that was under way when something changed', async () => {
  const auth = authenticator();
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const first = auth.authenticate({ apiKey: 'x' }, 'r');
  await live.publish('credentials', 'key:k1');
  await eventsDelivered();
  const second = auth.authenticate({ apiKey: 'x' }, 'r');
  opened.resolve();
  await Promise.all([first, second]);
  expect(asked).toHaveLength(2);
});

test('sockets and streams get the time when the credential ends', async () => {
  const { expiresAt } = await authenticator().identify({ apiKey: 'x' }, 'r');
  expect(expiresAt).toEqual(new Date('2026-03-02T11:00:00Z'));
});

test('a kept credential ends when it expires', async () => {
  const auth = authenticator();
  await auth.authenticate({ apiKey: 'x' }, 'r');
  clock.advance(3_600_000);
  await expect(auth.authenticate({ apiKey: 'x' }, 'r')).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
});

test('a refusal is passed on with its code and is not kept', async () => {
  const auth = authenticator();
  const error = {
    message: 'This key is not known.',
    extensions: { code: 'UNAUTHENTICATED', reason: 'CREDENTIAL_INVALID' },
  };
  answer = { errors: [error as never] };
  const refused = () =>
    expect(auth.authenticate({ apiKey: 'x' }, 'r')).rejects.toMatchObject({
      category: 'UNAUTHENTICATED',
      code: 'CREDENTIAL_INVALID',
    });
  await refused();
  await refused();
  expect(asked).toHaveLength(2);
});

test.each([
  ['Basic abc', 'Basic abc'],
  ['Bearer', 'Bearer'],
  ['Bearer a b', 'Bearer a b'],
  ['Bearer and 5,000 characters', `Bearer ${'x'.repeat(5_000)}`],
  ['lk_live_x', 'lk_live_x'],
])('the header "%s" is refused with a sentence', async (_, authorization) => {
  await expect(authenticator().authenticate({ authorization }, 'r')).rejects.toMatchObject({
    code: 'CREDENTIAL_INVALID',
  });
  expect(asked).toEqual([]);
});
