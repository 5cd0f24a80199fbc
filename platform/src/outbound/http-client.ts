import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isLocalName, isPublicAddress } from './ip-ranges.ts';

/** REFUSED is decided by this client and never changes on a retry; TIMEOUT and FAILED may change. */
export type OutboundErrorCode = 'OUTBOUND_REFUSED' | 'OUTBOUND_TIMEOUT' | 'OUTBOUND_FAILED';

/**
 * The reason for which a request got no response. The message names at most the host, never path or query.
 */
class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  constructor(code: OutboundErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.code = code;
  }
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string | URL;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Time from the look-up to the last byte. Default: the client's. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  /** Any status, including 3xx: redirects are not followed. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** True if the body was longer than `maxResponseBytes`; the rest was not read. */
  truncated: boolean;
}

export interface HttpClient {
  /** @throws OutboundError; the signal's reason if the caller aborts */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Closes idle connections at once, the others after their request. */
  close(): Promise<void>;
}

/**
 * Creates the client for all requests to addresses that users of the platform configure. It allows public
 * addresses over HTTPS only. It checks addresses as literals, at look-up (every answer), and on the connected
 * socket, so that no name or redirect can reach the internal network.
 *
 * @param options.allow - `host:port` entries that are allowed nevertheless, also over HTTP (OUTBOUND_ALLOW)
 * @param options.connectTimeoutMs - default 5,000 ms
 * @param options.timeoutMs - for the whole request, default 15,000 ms
 * @param options.maxResponseBytes - default 16,384 bytes
 * @param options.lookup - replaces the system's resolver in tests
 */
export function createHttpClient(
  options: {
    allow?: readonly string[];
    connectTimeoutMs?: number;
    timeoutMs?: number;
    maxResponseBytes?: number;
    lookup?: LookupFunction;
  } = {},
): HttpClient {
  const { connectTimeoutMs = 5_000, timeoutMs = 15_000, maxResponseBytes = 16_384 } = options;
  const allow = allowList(options.allow ?? []);
  const common = { timeout: connectTimeoutMs, allowH2: false };
  const connectAllowed = buildConnector(common);
  const connectPublic = publicOnly(
    buildConnector({ ...common, lookup: publicLookup(options.lookup ?? (dnsLookup as LookupFunction)) }),
  );
  const agent = new Agent({
    connect: (target, callback) =>
      (allow.has(targetKey(target)) ? connectAllowed : connectPublic)(target, callback),
    // One request at a time per connection, so that a slow response never delays another request.
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
  });

  return {
    request: (request) => {
      const limits = {
        timeoutMs: request.timeoutMs ?? timeoutMs,
        maxResponseBytes: request.maxResponseBytes ?? maxResponseBytes,
      };
      return send(agent, allow, request, limits);
    },
    close: () => agent.close(),
  };
}

/**
 * Returns the URL if `createHttpClient` would try it. For validating the input of users in advance; makes no
 * look-up.
 *
 * @param allow - `host:port` entries that are allowed nevertheless (OUTBOUND_ALLOW)
 * @throws OutboundError OUTBOUND_REFUSED with a message for the user
 */
export function assertPublicUrl(url: string | URL, allow: readonly string[] = []): URL {
  return checkUrl(url, allowList(allow));
}

/**
 * Wraps a connector: a connection to a non-public address is closed before it is used. Checking the
 * connector's look-up is not sufficient, because it is skipped for IP literals.
 */
export function publicOnly(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    // In a URL, an IPv6 literal is in brackets.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !isPublicAddress(literal)) return callback(notPublic(literal), null);
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress && isPublicAddress(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(notPublic(target.hostname), null);
    });
  };
}

// All answers must be public, because an attacker's name may resolve to a public and a private address.
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answers) => {
      if (error) return callback(error, []);
      const addresses = answers as LookupAddress[];
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(notPublic(hostname), []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function checkUrl(input: string | URL, allow: ReadonlySet<string>): URL {
  const url = URL.parse(String(input));
  if (!url) throw refused('The URL is not valid.');
  if (url.username || url.password) throw refused('The URL must not contain a user name or password.');
  if (allow.has(urlKey(url)) && /^https?:$/.test(url.protocol)) return url;
  if (url.protocol !== 'https:') throw refused('The URL must start with https://.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host)) throw notPublic(host);
  return url;
}

async function send(
  agent: Agent,
  allow: ReadonlySet<string>,
  request: OutboundRequest,
  limits: { timeoutMs: number; maxResponseBytes: number },
): Promise<OutboundResponse> {
  const url = checkUrl(request.url, allow);
  checkHeaders(request.headers ?? {});
  request.signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), limits.timeoutMs);
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers ?? {},
      body: request.body ?? null,
      signal: request.signal ? AbortSignal.any([timeout.signal, request.signal]) : timeout.signal,
      // The timer above covers both; undici's timeouts would be less precise.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { body, truncated } = await readBody(response.body, limits.maxResponseBytes);
    return { status: response.statusCode, headers: response.headers, body, truncated };
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    throw asOutboundError(error, url.hostname, timeout.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

async function readBody(stream: Dispatcher.ResponseData['body'], maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream and its connection, which is still delivering.
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes };
}

// These headers belong to the connection, or would address another virtual host than the checked one.
const connectionHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;

function checkHeaders(headers: Record<string, string>): void {
  const name = Object.keys(headers).find((header) => connectionHeaders.test(header));
  if (name) throw refused(`The header ${name} cannot be set.`);
}

function asOutboundError(error: unknown, hostname: string, isTimedOut: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (isTimedOut || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new OutboundError('OUTBOUND_TIMEOUT', `${hostname} did not answer in time.`, { cause: error });
  }
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new OutboundError('OUTBOUND_FAILED', `The request to ${hostname} failed${reason}.`, {
    cause: error,
  });
}

const allowList = (entries: readonly string[]) => new Set(entries.map((entry) => entry.trim().toLowerCase()));
const urlKey = (url: URL) => `${url.hostname}:${url.port || defaultPort(url.protocol)}`;
const targetKey = ({ hostname, port, protocol }: buildConnector.Options) => {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return `${host}:${port || defaultPort(protocol)}`;
};
const defaultPort = (protocol: string) => (protocol === 'https:' ? '443' : '80');
const refused = (message: string) => new OutboundError('OUTBOUND_REFUSED', message);
const notPublic = (host: string) => refused(`The address of ${host} is not public.`);
