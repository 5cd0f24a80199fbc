import { gzipSync } from 'node:zlib';
import { type Exchange, everything, type InjectedFault, nothing, sending } from './fault.fixture.ts';

/** Delay between two bytes of a slow answer; many delays fit into the timeout of a call. */
const DRIP_MS = 60;
const FAR_TOO_MUCH = 300_000;
const JSON_HEAD = { 'content-type': 'application/json' };

const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const lost = (name: string, answer: InjectedFault['answer']): InjectedFault => ({
  name,
  answer,
  effect: everything,
});
const harmless = (name: string, answer: InjectedFault['answer']): InjectedFault => ({
  name,
  answer,
  effect: nothing,
});
const raw = (name: string, bytes: (text: string) => string, isOver = true): InjectedFault =>
  lost(name, ({ response: { socket }, text }) => {
    socket!.write(bytes(text));
    if (isOver) socket!.end();
  });

/** Writes pieces until the other side closes the connection. */
function drip({ response }: Exchange, write: () => void): void {
  const timer = setInterval(write, DRIP_MS);
  response.socket!.once('close', () => clearInterval(timer));
}

const half = (text: string) => text.slice(0, text.length / 2);
const lengthOf = (text: string) => `content-length: ${Buffer.byteLength(text)}\r\n`;

/** Faults of the connection or the head. */
export const connectionFaults: readonly InjectedFault[] = [
  lost('reset before the head', ({ response }) => void response.socket!.resetAndDestroy()),
  lost('closed before the head', ({ response }) => void response.socket!.end()),
  lost('reset after the head', ({ response }) => {
    response.writeHead(200, JSON_HEAD).flushHeaders();
    response.socket!.resetAndDestroy();
  }),
  raw('closed after the head', (text) => `${json}${lengthOf(text)}\r\n`),
  raw('closed in the body', (text) => `${json}${lengthOf(text)}\r\n${half(text)}`),
  raw('closed in a chunk', (text) => `${json}transfer-encoding: chunked\r\n\r\nfff\r\n${half(text)}`),
  raw(
    'closed without a last chunk',
    (text) => `${json}transfer-encoding: chunked\r\n\r\n5\r\n${text.slice(0, 5)}\r\n`,
  ),
  raw('a length that is too short', (text) => `${json}content-length: 5\r\n\r\n${text}`),
  raw('a length that is too long', (text) => `${json}content-length: 99999\r\n\r\n${text}`, false),
  raw('two lengths', (text) => `${json}content-length: 3\r\n${lengthOf(text)}\r\n${text}`),
  raw('a length that is no number', (text) => `${json}content-length: many\r\n\r\n${text}`),
  raw('chunks of no size', (text) => `${json}transfer-encoding: chunked\r\n\r\nzz\r\n${text}\r\n0\r\n\r\n`),
  raw('no HTTP', () => 'SSH-2.0-OpenSSH_9.6\r\n'),
  raw(
    'a head that is too large',
    (text) => `${json}x-large: ${'x'.repeat(100_000)}\r\n${lengthOf(text)}\r\n${text}`,
  ),
  raw('a head of too many lines', () => `${json}${'x: y\r\n'.repeat(5_000)}`, false),
  lost('silence', () => undefined),
  lost('silence after the head', ({ response }) => response.writeHead(200, JSON_HEAD).flushHeaders()),
  lost(
    'silence in the body',
    ({ response, text }) => void response.writeHead(200, JSON_HEAD).write(half(text)),
  ),
  lost('a body that drips for ever', (exchange) => {
    exchange.response.writeHead(200, JSON_HEAD);
    drip(exchange, () => void exchange.response.write(' '));
  }),
  lost('a head that drips for ever', (exchange) => {
    exchange.response.socket!.write(`${json}x-slow: `);
    drip(exchange, () => void exchange.response.socket!.write('x'));
  }),
  lost('informational heads for ever', (exchange) =>
    drip(exchange, () => void exchange.response.socket!.write('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n')),
  ),
  lost('a body without end', ({ response }) => {
    response.writeHead(200, JSON_HEAD);
    const pour = () => {
      while (response.write('['.repeat(10_000)));
      response.once('drain', pour);
    };
    pour();
  }),
  lost('an answer that is too large', ({ text, send }) => send(text + ' '.repeat(FAR_TOO_MUCH))),
  harmless('a hint before the head', ({ response, text, send }) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    send(text);
  }),
  harmless('a body in single bytes', ({ response, text }) => {
    response.writeHead(200, JSON_HEAD);
    for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
    response.end();
  }),
  harmless('a connection that ends with the answer', ({ text, send }) =>
    send(text, { headers: { connection: 'close' } }),
  ),
];

const graphql = { 'content-type': 'application/graphql-response+json; charset=utf-8' };
const same = (text: string) => text;
const refused = () => '{"errors":[{"message":"No."}]}';
const status = (
  code: number,
  body: (text: string) => string,
  headers: Record<string, string> = JSON_HEAD,
): InjectedFault =>
  sending(`status ${code} with ${body('…').slice(0, 20)} as ${headers['content-type']}`, everything, body, {
    status: code,
    headers,
  });
const typed = (type: string, body: (text: string) => string | Buffer = same): InjectedFault =>
  sending(`the type ${type}`, everything, body, { headers: { 'content-type': type } });

/** Faults of status, media type and encoding. */
export const headFaults: readonly InjectedFault[] = [
  status(204, () => ''),
  status(301, same, { ...JSON_HEAD, location: '/elsewhere' }),
  status(304, () => ''),
  status(400, refused),
  status(401, refused),
  status(404, () => '<h1>Not Found</h1>', { 'content-type': 'text/html' }),
  status(429, () => '{"error":"Slow down"}', { ...JSON_HEAD, 'retry-after': '60' }),
  status(500, same),
  status(503, refused),
  status(503, () => 'upstream connect error', { 'content-type': 'text/plain' }),
  { ...status(500, same, graphql), effect: nothing },
  { ...status(401, same, graphql), effect: nothing },
  typed('text/html'),
  typed('text/plain'),
  typed('application/json; charset=utf-16', (text) => Buffer.from(text, 'utf16le')),
  sending('gzip that nobody asked for', everything, (text) => gzipSync(text), {
    headers: { ...JSON_HEAD, 'content-encoding': 'gzip' },
  }),
  sending('gzip that is none', everything, same, { headers: { ...JSON_HEAD, 'content-encoding': 'gzip' } }),
  sending('gzip that is not announced', everything, (text) => gzipSync(text)),
  sending('no type at all', nothing, same, { headers: {} }),
];
