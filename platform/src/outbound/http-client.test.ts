import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  connect as dial,
  type LookupFunction,
} from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { buildConnector } from 'undici';
import { assertPublicUrl, createHttpClient, type HttpClient, publicOnly } from './http-client.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener): Promise<{ server: Server; host: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function client(options: Parameters<typeof createHttpClient>[0] = {}): HttpClient {
  const created = createHttpClient(options);
  cleanups.push(() => created.close());
  return created;
}

/** A resolver that always returns these addresses and counts the queries. */
function resolver(...addresses: string[]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname);
    const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    process.nextTick(() => callback(null, answers));
  };
  return { lookup, asked };
}

const get = (url: string) => ({ method: 'GET' as const, url });

test('an allowed local address is reached over HTTP with method, headers and body as given', async () => {
  const { host } = await serve((request, response) => {
    request.setEncoding('utf8').on('data', (body) => {
      response.writeHead(201, {
        'x-seen': `${request.method} ${request.url} ${request.headers['x-id']} ${body}`,
      });
      response.end('done');
    });
  });
  const response = await client({ allow: [host] }).request({
    method: 'POST',
    url: `http://${host}/hook?a=1`,
    headers: { 'x-id': '7' },
    body: '{"b":2}',
  });
  expect(response).toMatchObject({ status: 201, truncated: false });
  expect(response.headers['x-seen']).toBe('POST /hook?a=1 7 {"b":2}');
  expect(response.body.toString()).toBe('done');
});

test.each([
  'http://example.org/',
  'ftp://example.org/',
  'https://user:secret@example.org/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://①②⑦.0.0.1/',
  'https://0/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://postgres:5432/',
  'https://metadata.google.internal/',
  'not a url',
])('%s is refused before any look-up', async (url) => {
  const { lookup, asked } = resolver('1.1.1.1');
  expect(() => assertPublicUrl(url)).toThrow(expect.objectContaining({ code: 'OUTBOUND_REFUSED' }));
  await expect(client({ lookup }).request(get(url))).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
  expect(asked).toEqual([]);
});

test('a public HTTPS address passes the check at definition time', () => {
  expect(assertPublicUrl('https://Example.org:8443/a?b=c').href).toBe('https://example.org:8443/a?b=c');
  expect(assertPublicUrl('http://127.0.0.1:9999/', ['127.0.0.1:9999']).port).toBe('9999');
  expect(() => assertPublicUrl('http://127.0.0.1:9998/', ['127.0.0.1:9999'])).toThrow('https://');
});

test.each([[['127.0.0.1']], [['1.1.1.1', '127.0.0.1']], [['2606:4700::1111', 'fd00::1']], [[]]])(
  'a name that resolves to %j is refused without a connection',
  async (addresses) => {
    const { lookup, asked } = resolver(...addresses);
    await expect(client({ lookup }).request(get('https://hooks.example.org/'))).rejects.toMatchObject({
      code: 'OUTBOUND_REFUSED',
    });
    expect(asked).toEqual(['hooks.example.org']);
  },
);

test('a connection that ends up at a local address is closed before it is used', async () => {
  let received = 0;
  const server = createTcpServer((socket) => socket.on('data', () => (received += 1)).on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const misled: buildConnector.connector = (_, callback) => {
    const socket = dial(port, '127.0.0.1', () => callback(null, socket));
  };
  const target = { hostname: 'hooks.example.org', protocol: 'https:', port: '443' };
  const outcome = await new Promise((resolve) =>
    publicOnly(misled)(target, (error, socket) => resolve({ error, socket })),
  );
  expect(outcome).toMatchObject({ error: { code: 'OUTBOUND_REFUSED' }, socket: null });
  expect(received).toBe(0);
});

test('a literal local address never reaches the connector', () => {
  for (const hostname of ['127.0.0.1', '::1', '[::1]']) {
    const connect = () => expect(hostname).toBe('not dialled');
    publicOnly(connect)({ hostname, protocol: 'https:', port: '443' }, (...[error]) => {
      expect(error).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    });
  }
});

test('a redirect is returned, not followed', async () => {
  let requests = 0;
  const { host } = await serve((_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const response = await client({ allow: [host] }).request(get(`http://${host}/`));
  expect([response.status, response.headers['location'], requests]).toEqual([302, '/elsewhere', 1]);
});

test('a body is read up to the limit and marked as truncated beyond it', async () => {
  const { host } = await serve((request, response) =>
    response.end(Buffer.alloc(Number(request.url!.slice(1)))),
  );
  const http = client({ allow: [host], maxResponseBytes: 1_000 });
  const lengths = [];
  for (const size of [999, 1_000, 1_001, 5_000_000]) {
    const { body, truncated } = await http.request(get(`http://${host}/${size}`));
    lengths.push([body.length, truncated]);
  }
  expect(lengths).toEqual([
    [999, false],
    [1_000, false],
    [1_000, true],
    [1_000, true],
  ]);
});

test('an endless trickle ends at the time limit', async () => {
  const { host } = await serve((_, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const request = { ...get(`http://${host}/`), timeoutMs: 150 };
  await expect(client({ allow: [host] }).request(request)).rejects.toMatchObject({
    code: 'OUTBOUND_TIMEOUT',
  });
});

test('a server that never answers, and a resolver that never does, end at the time limit', async () => {
  const { host } = await serve(() => {});
  const silent = { ...get(`http://${host}/`), timeoutMs: 100 };
  await expect(client({ allow: [host] }).request(silent)).rejects.toMatchObject({ code: 'OUTBOUND_TIMEOUT' });
  const unresolved = { ...get('https://hooks.example.org/'), timeoutMs: 100 };
  const http = createHttpClient({ lookup: () => {}, connectTimeoutMs: 200 });
  await expect(http.request(unresolved)).rejects.toMatchObject({ code: 'OUTBOUND_TIMEOUT' });
});

test('a refused connection and an endpoint that speaks no TLS are failures', async () => {
  const { host, server } = await serve((_, response) => response.end());
  const http = client({ allow: [host] });
  await expect(http.request(get(`https://${host}/`))).rejects.toMatchObject({ code: 'OUTBOUND_FAILED' });
  await new Promise((resolve) => server.close(resolve));
  await expect(http.request(get(`http://${host}/secret`))).rejects.toThrow(
    'The request to 127.0.0.1 failed (ECONNREFUSED).',
  );
});

test('the reason of the caller who aborts is what the caller gets', async () => {
  const { host } = await serve(() => {});
  const abort = new AbortController();
  const request = client({ allow: [host] }).request({ ...get(`http://${host}/`), signal: abort.signal });
  abort.abort(new Error('stopping'));
  await expect(request).rejects.toThrow('stopping');
});

test('headers that belong to the connection cannot be set', async () => {
  const request = { ...get('https://hooks.example.org/'), headers: { Host: 'internal' } };
  await expect(client().request(request)).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
});
