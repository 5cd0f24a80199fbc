import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '@loyalty/platform/context';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import type { OutgoingMail } from './transport.ts';

/** A request that a provider received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A status, or a kind of failure. */
type Behaviour = number | 'hangs' | 'drops' | 'trickles' | 'floods';

/** An HTTP server of a provider on 127.0.0.1. */
export interface FakeProvider {
  readonly host: string;
  readonly url: string;
  readonly received: Received[];
  behaviour: Behaviour;
  /** The body of a successful response. */
  answer: unknown;
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function fakeProvider(): Promise<FakeProvider> {
  const server = createServer((request, response) => void respond(fake, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeProvider = {
    host,
    url: `http://${host}`,
    received: [],
    behaviour: 200,
    answer: { id: 'p-1' },
    headers: {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

async function respond(fake: FakeProvider, request: IncomingMessage, response: ServerResponse) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { method = '', url: path = '' } = request;
  fake.received.push({ method, path, headers: request.headers as Record<string, string>, body });
  const { behaviour } = fake;
  if (behaviour === 'hangs') return;
  if (behaviour === 'drops') return void request.socket.destroy();
  const status = typeof behaviour === 'number' ? behaviour : 200;
  response.writeHead(status, { 'content-type': 'application/json', ...fake.headers });
  if (behaviour === 'trickles') return trickle(response);
  if (behaviour === 'floods') return void response.end(Buffer.alloc(5_000_000, ' '));
  response.end(typeof fake.answer === 'string' ? fake.answer : JSON.stringify(fake.answer));
}

async function trickle(response: ServerResponse): Promise<void> {
  while (!response.closed) {
    response.write(' ');
    await delay(20);
  }
}

/**
 * Services that can reach these providers, with the given timeout.
 *
 * @param timeouts - collects the timeout of each request
 */
export function reaching<S extends Services>(
  services: S,
  providers: readonly FakeProvider[],
  timeouts: number[] = [],
  timeoutMsMax = 300,
): S & { close(): Promise<void> } {
  const allow = providers.map(({ host }) => host);
  const http = createHttpClient({ allow });
  return {
    ...services,
    config: { ...services.config, OUTBOUND_ALLOW: allow },
    http: {
      ...http,
      request: (request) => {
        timeouts.push(request.timeoutMs ?? Number.NaN);
        return http.request({ ...request, timeoutMs: Math.min(request.timeoutMs ?? 0, timeoutMsMax) });
      },
    },
    close: () => http.close(),
  };
}

export const mailOf = (part: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: '0195a0de-0000-7000-8000-000000000001',
  idempotencyKey: 'key-1',
  to: 'ada@example.com',
  subject: 'Grüße',
  html: '<p>Hello Ada</p>',
  text: 'Hello Ada',
  headers: { 'List-Unsubscribe': '<https://loyalty.example.com/u>' },
  ...part,
});
