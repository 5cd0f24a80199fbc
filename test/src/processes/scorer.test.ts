/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { scorerServer } from '@loyalty/cli/serve/scorer-server';
import { remoteScorePort } from '@loyalty/model-subgraph/standard-model/remote-score-port';
import { anyRequest, bitsOf } from '@loyalty/model-subgraph/standard-model/score-blocks.fixture';
import {
  MODEL_HEADER,
  modelId,
  requestBytesMax,
  writeRequest,
} from '@loyalty/model-subgraph/standard-model/score-message';
import {
  type ScorePort,
  type ScoreRequest,
  scoreMembers,
} from '@loyalty/model-subgraph/standard-model/score-port';
import { NO_FIGURES } from '@loyalty/model-subgraph/standard-model/statistics-block';
import { blockOf, CUTOFF } from '@loyalty/model-subgraph/standard-model/statistics-block.fixture';
import { signScoreRequest, signSocket } from '@loyalty/platform/identity/caller-token';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics, type Metrics } from '@loyalty/platform/observe/metrics';
import fc from 'fast-check';
import { eventually } from '../harness/eventually.ts';
import { type Behave, type FaultyScorer, faultyScorer } from './scorer.fixture.ts';

/** The timeout of calls that get no answer. */
const SHORT_MS = 600;
/** The timeout of calls that get an answer or are cancelled: longer than a test may take. */
const LONG_MS = 600_000;

const secrets = new Map([['test', randomBytes(32)]]);
const silent = createLog({ level: 'silent', name: 'test' });
const scorer = scorerServer({
  secrets,
  log: silent,
  config: { METRICS_TOKEN: undefined, isProduction: false },
});
const request: ScoreRequest = {
  members: blockOf([{ purchaseDays: 4, firstAgo: 90, lastAgo: 10, adds: 3, lastCartAgo: 2 }, {}]),
  cutoff: CUTOFF,
  options: { version: 'std-1', pool: { adds: 10, removes: 3 }, figures: NO_FIGURES },
};
const away = { code: 'MODEL_SERVICE_UNAVAILABLE', category: 'UNAVAILABLE' };

let url: string;
let faulty: FaultyScorer;
let metrics: Metrics;
let lines: Record<string, unknown>[];
let port: ScorePort;

beforeAll(async () => {
  url = await scorer.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => scorer.close());

beforeEach(async () => {
  faulty = await faultyScorer(url);
  metrics = createMetrics();
  lines = [];
  port = portTo(faulty.url);
});
afterEach(() => faulty.close());

const portTo = (at: string, { keys = secrets, timeoutMs = LONG_MS } = {}): ScorePort => {
  const destination = new Writable({
    write(line: Buffer, _, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  });
  const log = createLog({ level: 'info', name: 'test', destination });
  const limits = { timeoutMs, connectTimeoutMs: timeoutMs };
  return remoteScorePort({ url: at, secrets: keys, ...limits }, { log, metrics });
};
const score = () => port.score(request);
const reasons = () => lines.map(({ err }) => (err as { message: string } | undefined)?.message);
const circuits = () => lines.flatMap(({ circuit }) => circuit ?? []);
const circuitLevel = async () => (await metrics.scorerCircuit.get()).values[0]?.value;

test('a model in another process gives the same bits as in this one, failed rows included', async () => {
  const direct = portTo(`${url}/`);
  await fc.assert(
    fc.asyncProperty(anyRequest, async (any) => {
      const [remote, local] = [await direct.score(any), scoreMembers(any)];
      expect(bitsOf(remote.scores)).toEqual(bitsOf(local.scores));
      expect(remote.scores.size).toBe(any.members.size);
      expect(remote.failed).toEqual(local.failed);
    }),
    { numRuns: 60 },
  );
});

describe('a scorer is away where', () => {
  const drip: Behave = (response) => {
    response.writeHead(200, { [MODEL_HEADER]: modelId('std-1') });
    const dripping = setInterval(() => response.write(' '), SHORT_MS / 6);
    response.once('close', () => clearInterval(dripping));
  };
  test.each<[string, Behave]>([
    ['nothing comes', () => undefined],
    ['the answer comes byte by byte', drip],
  ])('%s within the time of a call', async (_, behave) => {
    faulty.behave = behave;
    const waiting = portTo(faulty.url, { timeoutMs: SHORT_MS });
    const startedAt = performance.now();
    await expect(waiting.score(request)).rejects.toMatchObject(away);
    expect(performance.now() - startedAt).toBeGreaterThan(SHORT_MS - 50);
    expect(reasons()).toEqual([`No answer within ${SHORT_MS} ms.`]);
  });

  test.each<[string, Behave, RegExp]>([
    ['it fails', (response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'), /answered 502/],
    ['the connection breaks', (response) => void response.destroy(), /other side closed|ECONNRESET/],
    [
      'its answer is no block',
      (response) => void response.writeHead(200, { [MODEL_HEADER]: modelId('std-1') }).end('{}'),
      /no scores of 2 members/,
    ],
    [
      'its answer is endless',
      (response) =>
        void response.writeHead(200, { [MODEL_HEADER]: modelId('std-1') }).end(Buffer.alloc(2 ** 20)),
      /More than \d+ bytes/,
    ],
    [
      'its parameters differ',
      (response) => void response.writeHead(200, { [MODEL_HEADER]: 'standard std-1 00' }).end(),
      /is standard std-1 00, expected is standard std-1 [0-9a-f]{64}/,
    ],
    [
      'it refuses this version',
      (response) => void response.writeHead(409, { [MODEL_HEADER]: 'standard std-3 11' }).end(),
      /is standard std-3 11, expected is standard std-1/,
    ],
    ['it names no model', (response) => void response.end(), /is no model, expected is/],
  ])('%s, and the log says so', async (_, behave, reason) => {
    faulty.behave = behave;
    await expect(score()).rejects.toMatchObject(away);
    expect(faulty.asked).toBe(1);
    expect(reasons()).toEqual([expect.stringMatching(reason)]);
    expect(JSON.stringify(lines)).not.toMatch(/Bearer|authorization/i);
  });

  test('nobody listens', async () => {
    faulty.close();
    await expect(score()).rejects.toMatchObject(away);
  });

  test('the keys are not those of this installation', async () => {
    const foreign = portTo(faulty.url, { keys: new Map([['test', randomBytes(32)]]) });
    await expect(foreign.score(request)).rejects.toMatchObject(away);
    expect(reasons()).toEqual(['The scorer answered 401.']);
  });
});

test('a caller that stops waiting is released at once, and the circuit does not count it as a failure', async () => {
  faulty.behave = () => undefined;
  const leave = new AbortController();
  const calls = Array.from({ length: 10 }, () => port.score(request, leave.signal));
  await eventually(() => expect(faulty.asked).toBeGreaterThan(0));
  leave.abort();
  const results = await Promise.allSettled(calls);
  expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  faulty.behave = null;
  expect((await score()).scores.size).toBe(2);
  expect(lines).toEqual([]);
});

describe('the circuit', () => {
  beforeEach(() => void jest.useFakeTimers({ now: Date.now(), doNotFake: realTimers }));
  afterEach(() => void jest.useRealTimers());

  test('opens when the scorer keeps failing, and closes when it is well again', async () => {
    faulty.behave = (response) => void response.writeHead(500).end();
    for (let failure = 0; failure < 5; failure += 1) await expect(score()).rejects.toMatchObject(away);
    expect([circuits(), await circuitLevel()]).toEqual([['open'], 2]);
    const paused = { ...away, details: { retryAfterSeconds: 1 } };
    for (let call = 0; call < 20; call += 1) await expect(score()).rejects.toMatchObject(paused);
    expect(faulty.asked).toBe(5);
    jest.setSystemTime(Date.now() + 1_001);
    await expect(score()).rejects.toMatchObject(away);
    await expect(score()).rejects.toMatchObject({ ...away, details: { retryAfterSeconds: 2 } });
    expect(faulty.asked).toBe(6);
    faulty.behave = null;
    jest.setSystemTime(Date.now() + 2_001);
    expect((await score()).failed).toEqual(new Uint8Array(2));
    expect(circuits()).toEqual(['open', 'half open', 'open', 'half open', 'closed']);
    expect(await circuitLevel()).toBe(0);
    const outcomes = (await metrics.scorerSeconds.get()).values.filter(({ metricName }) =>
      metricName?.endsWith('_count'),
    );
    expect(outcomes).toMatchObject([
      { labels: { outcome: 'failed' }, value: 6 },
      { labels: { outcome: 'answered' }, value: 1 },
    ]);
  });
});

const realTimers = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

describe('the scorer refuses', () => {
  const body = writeRequest(request);
  type Change = { headers?: Record<string, string>; body?: Uint8Array | string };
  const post = async ({ headers, body: other }: Change): Promise<Response> =>
    fetch(`${url}/score`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${await signScoreRequest(secrets)}`,
        [MODEL_HEADER]: modelId('std-1'),
        ...headers,
      },
      body: (other ?? body) as never,
    });

  test.each<[string, () => Change | Promise<Change>, number, string]>([
    ['a call without a token', () => ({ headers: { authorization: '' } }), 401, 'CALLER_REFUSED'],
    [
      'a token that was made for something else',
      async () => ({ headers: { authorization: `Bearer ${await signSocket(secrets)}` } }),
      401,
      'CALLER_REFUSED',
    ],
    [
      'a large body without a token, before it is read',
      () => ({ headers: { authorization: '' }, body: new Uint8Array(requestBytesMax + 1) }),
      401,
      'CALLER_REFUSED',
    ],
    ['a cut body', () => ({ body: body.subarray(1) }), 400, 'BODY_INVALID'],
    ['an empty body', () => ({ body: '' }), 400, 'BODY_INVALID'],
    ['JSON', () => ({ headers: { 'content-type': 'application/json' }, body: '{}' }), 400, 'BODY_INVALID'],
    [
      'more bytes than ten thousand members have',
      () => ({ body: new Uint8Array(requestBytesMax + 1) }),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a request for another model',
      () => ({ headers: { [MODEL_HEADER]: 'standard std-0 00' } }),
      409,
      'MODEL_VERSION_MISMATCH',
    ],
  ])('%s', async (_, change, status, code) => {
    const answer = await post(await change());
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { error: { code, message: expect.any(String) } },
    ]);
    expect(answer.headers.get(MODEL_HEADER)).toBe(
      modelId(code === 'MODEL_VERSION_MISMATCH' ? 'std-2' : 'std-1'),
    );
  });

  test('no valid request', async () => {
    const answer = await post({});
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  });
});
