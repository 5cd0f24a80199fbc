/** @jest-environment node */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Request } from '@loyalty/platform/context';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics, type Metrics } from '@loyalty/platform/observe/metrics';
import type { ExecutionResult } from 'graphql';
import { withBreaker } from './breaker.ts';
import { overHttp } from './http-transport.ts';
import type { Send, Transport } from './transport.ts';

type Behaviour = 'working' | 'broken' | 'silent';

/** The current behaviour of the subgraph, and the number of requests to it. */
let behaviour: Behaviour;
let asked: number;
let answer: ExecutionResult;
let held: (() => void)[];
let server: Server;
let metrics: Metrics;
let lines: Record<string, unknown>[];
let transport: Transport;
let send: Send;

const from: Request = { caller: systemCaller('test'), requestId: 'r' };
const fine = { data: { ok: true } };
const refused = { data: null, errors: [{ message: 'No.', extensions: { reason: 'DATABASE_UNAVAILABLE' } }] };
/** The answer of the subgraph about another unavailable subgraph. */
const others = [{ message: 'Away.', extensions: { reason: 'SUBGRAPH_UNAVAILABLE' } }];
const reason = ({ errors }: ExecutionResult) => errors?.[0]?.extensions?.['reason'];
const call = (count: number, request = from): Promise<ExecutionResult[]> =>
  Promise.all(Array.from({ length: count }, () => send({}, request)));
const level = async () => (await metrics.subgraphCircuit.get()).values;
const states = () => lines.filter(({ circuit }) => circuit).map(({ circuit }) => circuit);
/** Only the clock is changed; sockets and timers run normally. */
const later = (ms: number) => jest.setSystemTime(Date.now() + ms);

beforeEach(async () => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: realTimers });
  behaviour = 'working';
  asked = 0;
  answer = fine;
  held = [];
  lines = [];
  server = createServer((request, response) => {
    asked += 1;
    request.resume();
    const respond = () => {
      if (behaviour === 'broken') response.writeHead(502).end('<h1>Bad Gateway</h1>');
      else response.end(JSON.stringify(answer));
    };
    if (behaviour === 'silent') held.push(respond);
    else respond();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  metrics = createMetrics();
  const destination = new Writable({
    write(line: Buffer, _, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  });
  const log = createLog({ level: 'info', name: 'test', destination });
  const url = `http://127.0.0.1:${port}/graphql`;
  const bare = overHttp({ name: 'loyalty', url, timeoutMs: 5_000, answerBytesMax: 1_000_000, log, metrics });
  transport = withBreaker('loyalty', bare, { metrics, log });
  send = transport.prepare({ query: '{ ok }' });
});
afterEach(async () => {
  jest.useRealTimers();
  await transport.close();
  server.closeAllConnections();
  server.close();
});

const realTimers = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

/** Opens the circuit by five failures in a row. */
async function open(): Promise<void> {
  behaviour = 'broken';
  for (let failure = 0; failure < 5; failure += 1)
    expect(reason((await call(1))[0]!)).toBe('SUBGRAPH_UNAVAILABLE');
  asked = 0;
}

test('a subgraph that keeps failing gets no calls: callers are answered at once with when to try again', async () => {
  await open();
  const answers = await call(20);
  expect([asked, answers.length]).toEqual([0, 20]);
  for (const answer of answers) {
    expect(answer).toEqual({
      errors: [
        {
          message: 'The loyalty service is away. Try again in 1 s.',
          extensions: { code: 'UNAVAILABLE', reason: 'SUBGRAPH_UNAVAILABLE', retryAfterSeconds: 1 },
        },
      ],
    });
  }
  expect(await transport.subscribe({ query: 'subscription { ok }' }, from)).toEqual(answers[0]);
  expect(states()).toEqual(['open']);
  expect(await level()).toEqual([{ value: 2, labels: { subgraph: 'loyalty' } }]);
});

test('one call tries the subgraph after its rest, and all go through again when it is well', async () => {
  await open();
  later(1_001);
  behaviour = 'silent';
  const trial = send({}, from);
  const others = await call(10);
  expect(others.map(reason)).toEqual(Array(10).fill('SUBGRAPH_UNAVAILABLE'));
  expect(await level()).toMatchObject([{ value: 1 }]);
  while (held.length === 0) await new Promise(setImmediate);
  behaviour = 'working';
  held.pop()?.();
  expect(await trial).toEqual(fine);
  expect(await call(3)).toEqual([fine, fine, fine]);
  expect(asked).toBe(4);
  expect(states()).toEqual(['open', 'half open', 'closed']);
  expect(await level()).toMatchObject([{ value: 0 }]);
});

test('every failed trial doubles the rest, up to 30 s', async () => {
  await open();
  const rests: unknown[] = [];
  for (let trial = 0; trial < 7; trial += 1) {
    const [answer] = await call(1);
    const seconds = answer?.errors?.[0]?.extensions?.['retryAfterSeconds'] as number;
    rests.push(seconds);
    later(seconds * 1_000);
    await call(1);
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 30, 30]);
  expect(asked).toBe(7);
});

test.each([
  ['errors and null', refused],
  ['data, and errors about another subgraph that is away', { data: { ok: null }, errors: others }],
  ['null, and errors about another subgraph that is away', { data: null, errors: others }],
])('answers with %s are answers, however many', async (_, given) => {
  answer = given as unknown as ExecutionResult;
  expect(await call(40)).toEqual(Array(40).fill(given));
  answer = fine;
  expect(await call(1)).toEqual([fine]);
  expect(states()).toEqual([]);
});

test('a few failures among many answers open nothing, more failures than answers do', async () => {
  for (let round = 0; round < 10; round += 1) {
    behaviour = 'broken';
    await call(1);
    behaviour = 'working';
    await call(2);
  }
  expect(states()).toEqual([]);
  behaviour = 'broken';
  await call(20);
  expect(states()).toEqual(['open']);
});

test('clients that leave say nothing about the subgraph, and as a trial they change nothing', async () => {
  behaviour = 'silent';
  const leave = async (count: number) => {
    const controller = new AbortController();
    const calls = call(count, { ...from, signal: controller.signal });
    while (held.length < count) await new Promise(setImmediate);
    controller.abort();
    held.length = 0;
    return calls;
  };
  await leave(20);
  expect(states()).toEqual([]);
  await open();
  later(1_001);
  behaviour = 'silent';
  await leave(1);
  expect(states()).toEqual(['open', 'half open', 'open']);
});

test('calls that fail late, after the subgraph has recovered, do not open the circuit again', async () => {
  behaviour = 'silent';
  const late = call(20);
  while (held.length < 20) await new Promise(setImmediate);
  await open();
  later(1_001);
  behaviour = 'working';
  expect(await call(1)).toEqual([fine]);
  behaviour = 'broken';
  for (const respond of held) respond();
  expect((await late).map(reason)).toEqual(Array(20).fill('SUBGRAPH_UNAVAILABLE'));
  expect(states()).toEqual(['open', 'half open', 'closed']);
});

test('a refused connection is a failure like any other, and the subgraph is found again when it listens', async () => {
  const { port } = server.address() as AddressInfo;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await call(5);
  expect(states()).toEqual(['open']);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  later(1_001);
  expect(await call(1)).toEqual([fine]);
});
