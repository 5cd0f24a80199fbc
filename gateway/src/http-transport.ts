import { CALLER_HEADER, type SigningSecrets, signCaller } from '@loyalty/platform/caller-token';
import type { Request, Services } from '@loyalty/platform/context';
import type { SubgraphName } from '@loyalty/platform/subgraph';
import { injectTrace } from '@loyalty/platform/telemetry';
import type { ExecutionResult } from 'graphql';
import { Pool } from 'undici';
import { awayResult, type Transport } from './transport.ts';

const CONNECTIONS = 32;

/** Calls a subgraph in another process over kept-alive connections, with a signed statement of who calls. */
export function overHttp(
  name: SubgraphName,
  url: string,
  secrets: SigningSecrets,
  services: Services,
): Transport {
  const { origin } = new URL(url);
  const timeoutMs = services.config.SUBGRAPH_TIMEOUT_MS;
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    keepAliveTimeout: 60_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async execute(request, from) {
      const end = services.metrics.subgraphSeconds.startTimer({ subgraph: name });
      try {
        const signal = AbortSignal.any([
          AbortSignal.timeout(timeoutMs),
          ...(from.signal ? [from.signal] : []),
        ]);
        const response = await pool.request({
          method: 'POST',
          path: '/graphql',
          headers: await headersOf(from, secrets),
          body: JSON.stringify(request),
          signal,
        });
        if (response.statusCode !== 200) {
          await response.body.dump();
          throw new Error(`status ${response.statusCode}`);
        }
        return (await response.body.json()) as ExecutionResult;
      } catch (error) {
        services.log.warn({ err: error, subgraph: name, requestId: from.requestId }, 'subgraph is away');
        return awayResult(name, 'is away or did not answer in time');
      } finally {
        end();
      }
    },
    close: () => pool.close(),
  };
}

async function headersOf(from: Request, secrets: SigningSecrets): Promise<Record<string, string>> {
  return injectTrace({
    'content-type': 'application/json',
    [CALLER_HEADER]: await signCaller({ caller: from.caller, address: from.address ?? null }, secrets),
    'x-request-id': from.requestId,
    ...(from.idempotencyKey && { 'idempotency-key': from.idempotencyKey }),
  });
}
