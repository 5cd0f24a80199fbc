import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { CALLER_HEADER, type SignedCaller, verifyCaller } from '@loyalty/platform/identity/caller-token';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics, type Metrics } from '@loyalty/platform/observe/metrics';
import type { ExecutionResult } from 'graphql';
import { withBreaker } from './breaker.ts';
import { overHttp } from './http-transport.ts';
import type { Send, Transport } from './transport.ts';

const TIMEOUT_MS = 600;
const BYTES_MAX = 100_000;

type Behave = (response: ServerResponse, request: IncomingMessage) => void;

let behave: Behave;
let asked: number;
let server: Server;
let metrics: Metrics;
/** A transport without a circuit breaker, independent of earlier failures. */
let bare: Transport;
let transport: Transport;
let send: Send;

const log = createLog({ level: 'silent', name: 'test' });
const from = { caller: anonymous, requestId: 'r' };
const call = () => send({}, from);
const reason = ({ errors }: ExecutionResult) => errors?.[0]?.extensions?.['reason'];
const circuit = async () => (await metrics.subgraphCircuit.get()).values[0]?.value;
const fine = { data: { ok: true } };
const answerFine: Behave = (response) => void response.end(JSON.stringify(fine));
const hang: Behave = () => undefined;

beforeEach(async () => {
  asked = 0;
  behave = answerFine;
  server = createServer((request, response) => {
    asked += 1;
    request.resume().once('end', () => behave(response, request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  metrics = createMetrics();
  const options = { name: 'shop', url, timeoutMs: TIMEOUT_MS, answerBytesMax: BYTES_MAX, log, metrics };
  bare = overHttp(options);
  transport = withBreaker('shop', overHttp(options), { log, metrics });
  send = transport.prepare({ query: '{ ok }' });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([transport.close(), bare.close()]);
});

describe('a call ends at its deadline', () => {
  test.each<[string, Behave]>([
    ['nothing comes', hang],
    ['the body never ends', (response) => void response.writeHead(200).write('{"data":')],
    [
      'the body comes byte by byte',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), TIMEOUT_MS / 6);
        response.once('close', () => clearInterval(drip));
      },
    ],
    [
      'the head comes byte by byte',
      ({ socket }) => {
        socket!.write('HTTP/1.1 200 OK\r\nx-slow: ');
        const drip = setInterval(() => socket!.write('x'), TIMEOUT_MS / 6);
        socket!.once('close', () => clearInterval(drip));
      },
    ],
  ])('where %s', async (_, behaviour) => {
    behave = behaviour;
    const startedAt = performance.now();
    expect(reason(await call())).toBe('SUBGRAPH_UNAVAILABLE');
    expect(performance.now() - startedAt).toBeGreaterThan(TIMEOUT_MS * 0.9);
  });

  test('where 200 wait for a subgraph that hangs: all of them at once, and they count', async () => {
    behave = hang;
    const calls = Array.from({ length: 200 }, call);
    await Promise.race(calls);
    // The time limit of a call does not restart when other calls give up.
    const later = bare.prepare({ query: '{ ok }' })({}, from);
    const answers = await Promise.race([Promise.all(calls), later.then(() => [])]);
    expect(answers).toHaveLength(200);
    expect(new Set(answers.map(reason))).toEqual(new Set(['SUBGRAPH_UNAVAILABLE']));
    expect(await circuit()).toBe(2);
    // Calls without a connection in time are never sent, except those that get one when other calls give up.
    expect(asked).toBeLessThan(100);
    await later;
    behave = answerFine;
    let answer = await call();
    while (reason(answer) === 'SUBGRAPH_UNAVAILABLE') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await call();
    }
    expect(answer).toEqual(fine);
  });

  test('where its client leaves: at once, also while it waits for a connection', async () => {
    behave = hang;
    const waiting = Array.from({ length: 32 }, call);
    const controller = new AbortController();
    const left = send({}, { ...from, signal: controller.signal });
    controller.abort();
    expect(await Promise.race([left.then(() => 'who left'), ...waiting])).toBe('who left');
    await Promise.all(waiting);
    expect(asked).toBe(32);
  });
});

describe('an answer that is too large is cut off, which says nothing against the subgraph', () => {
  const tooLarge = {
    errors: [
      {
        message: 'The shop service answered with more than 0.1 MiB. Ask for less at once.',
        extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ANSWER_TOO_LARGE' },
      },
    ],
  };

  test('where it says its length, ten times', async () => {
    behave = (response) => void response.end(JSON.stringify({ data: { ok: 'x'.repeat(BYTES_MAX) } }));
    for (let n = 0; n < 10; n += 1) expect(await call()).toEqual(tooLarge);
    expect(await circuit()).toBe(0);
  });

  test('where it never ends: the subgraph sees its connection close', async () => {
    const closed = Promise.withResolvers<void>();
    behave = (response) => {
      response.once('close', () => closed.resolve());
      const pour = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', pour);
      };
      pour();
    };
    expect(await call()).toEqual(tooLarge);
    await closed.promise;
  });
});

describe('an answer is read as GraphQL over HTTP has it', () => {
  const away = 'SUBGRAPH_UNAVAILABLE';
  const refused = { errors: [{ message: 'No.' }] };
  const json = 'application/json';
  const graphql = 'application/graphql-response+json; charset=utf-8';

  test.each<[status: number, type: string | null, body: unknown, read: unknown]>([
    [200, json, fine, fine],
    [200, 'Application/JSON;charset="UTF-8"', fine, fine],
    [202, json, fine, fine],
    [200, null, fine, fine],
    [200, graphql, fine, fine],
    [500, graphql, { ...fine, ...refused }, { ...fine, ...refused }],
    [400, graphql, refused, refused],
    [500, json, fine, away],
    [503, json, refused, away],
    [302, json, fine, away],
    [400, json, refused, refused],
    [401, json, { data: null, ...refused }, refused],
    [400, json, { ...fine, ...refused }, away],
    [400, json, { error: 'Bad Request' }, away],
    [500, null, fine, away],
    [200, 'text/html', fine, away],
    [200, 'application/problem+json', refused, away],
    [200, 'application/json; charset=utf-16', fine, away],
    [204, json, '', away],
    [200, json, '[]', away],
    [200, json, 'null', away],
    [200, json, '{"data":{"ok":tru', away],
    [200, json, '\ufeff{"data":{"ok":true}}', fine],
    [200, json, Buffer.from([...Buffer.from('{"data":{"ok":"'), 0xff, ...Buffer.from('"}}')]), away],
  ])('status %i with %s and %j', async (status, type, body, read) => {
    behave = (response) => {
      response.writeHead(status, type === null ? {} : { 'content-type': type });
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    };
    const answer = await call();
    if (read === away) expect(reason(answer)).toBe(away);
    else expect(answer).toEqual(read);
  });

  test('no encoding is asked for, and one that comes anyway is not read', async () => {
    let sent: unknown;
    behave = (response, { headers }) => {
      sent = { accept: headers.accept, encoding: headers['accept-encoding'] };
      response.writeHead(200, { 'content-type': json, 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(fine)));
    };
    expect(reason(await call())).toBe(away);
    expect(sent).toEqual({
      accept: 'application/graphql-response+json, application/json;q=0.9',
      encoding: 'identity',
    });
  });
});

test('the token of a call names its own caller and address, however many calls there are', async () => {
  const secrets = new Map([['a', randomBytes(32)]]);
  const signed: SignedCaller[] = [];
  behave = async (response, request) => {
    signed.push(await verifyCaller(request.headers[CALLER_HEADER] as string, secrets));
    answerFine(response, request);
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const signing = overHttp({
    name: 'shop',
    url,
    timeoutMs: 5_000,
    answerBytesMax: BYTES_MAX,
    log,
    metrics,
    secrets,
  });
  const caller = { ...anonymous, workspaceId: 'w', actor: 'key:1' };
  const calls: SignedCaller[] = [
    { caller, address: '203.0.113.7' },
    { caller, address: '203.0.113.8' },
    { caller: { ...caller, workspaceId: 'v' }, address: '203.0.113.7' },
    { caller: { ...caller, mode: 'TEST' }, address: '203.0.113.7' },
    { caller: { ...caller, scopes: ['members:read'] }, address: '203.0.113.7' },
    { caller, address: null },
  ];
  const ask = signing.prepare({ query: '{ ok }' });
  for (const { caller: by, address } of calls)
    await ask({}, { caller: by, requestId: 'r', ...(address !== null && { address }) });
  await signing.close();
  expect(signed).toEqual(calls);
});
