import { unavailable } from '@loyalty/platform/base/errors';
import { apiOfRequest } from '@loyalty/platform/http/api';
import type { SigningSecrets } from '@loyalty/platform/identity/caller-token';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import { addressHeader } from '@loyalty/platform/identity/signed-address';
import { injectTrace } from '@loyalty/platform/observe/spans';
import { requestTimeoutMs } from '@loyalty/platform/outbound/http-post';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'undici';
import type { GraphClient, GraphReply } from './graph-client.ts';

/** Headers of the client's request that are sent to the gateway. */
const PASSED_ON = [
  'authorization',
  'x-api-key',
  'x-loyalty-mode',
  'idempotency-key',
  'sec-gpc',
  'traceparent',
] as const;
/** Headers of the gateway's answer that are sent to the client. */
const PASSED_BACK = ['ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed'] as const;

function headersOf(request: FastifyRequest): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) =>
    request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
  );
  return {
    ...Object.fromEntries(passed),
    'content-type': 'application/json',
    accept: 'application/json',
    'x-request-id': request.id,
    'x-loyalty-api': apiOfRequest(request),
  };
}

/** Calls the graph of a gateway in another process. Both processes must have the same secrets. */
export function remoteGraph(
  url: string,
  timeoutMs: number,
  secrets: SigningSecrets,
  memberCookie: SessionCookie,
): GraphClient & { isReady(): Promise<boolean>; close(): Promise<void> } {
  const pool = new Pool(new URL(url).origin, {
    connections: 64,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const addressed = addressHeader(secrets);
  return {
    async execute(operation, request) {
      const headers = injectTrace({
        ...headersOf(request),
        ...memberCookie.forwarded(request.headers),
        ...(await addressed(request.address)),
      });
      const body = JSON.stringify(operation);
      try {
        const response = await pool.request({
          method: 'POST',
          path: '/graphql',
          headers,
          body,
          headersTimeout: requestTimeoutMs(body, timeoutMs),
        });
        const kept = PASSED_BACK.flatMap((name) =>
          response.headers[name] === undefined ? [] : [[name, String(response.headers[name])]],
        );
        return { ...((await response.body.json()) as GraphReply), headers: Object.fromEntries(kept) };
      } catch (error) {
        request.log.warn({ err: error, requestId: request.id }, 'gateway is away');
        throw unavailable('GATEWAY_UNAVAILABLE', 'The gateway is away or did not answer in time. Try again.');
      }
    },
    async isReady() {
      try {
        const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz' });
        await body.dump();
        return statusCode === 200;
      } catch {
        return false;
      }
    },
    close: () => pool.close(),
  };
}
