import type { Request, Services } from '@loyalty/platform/context';
import { GRAPHQL_HEADERS, REPLICA_HEADER, resultOf } from '@loyalty/platform/graph/graphql-answer';
import { CALLER_HEADER, type SigningSecrets, signCaller } from '@loyalty/platform/identity/caller-token';
import { PRIVACY_HEADER } from '@loyalty/platform/identity/privacy-signal';
import { injectTrace } from '@loyalty/platform/observe/spans';
import { AnswerTooLargeError, createPoster } from '@loyalty/platform/outbound/http-post';
import { LRUCache } from 'lru-cache';
import {
  awayResult,
  type Representations,
  type Transport,
  timed,
  tooLargeResult,
  type Variables,
} from './transport.ts';
import { createUpstream } from './upstream.ts';

/** The address of a subgraph and the limits of calls. */
interface HttpTransportOptions {
  readonly name: string;
  readonly url: string;
  /** Maximum duration of a call, including the wait for a connection. A call with a file may take longer. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Keys that sign the caller of each request; without them, the caller is not sent. */
  readonly secrets?: SigningSecrets | undefined;
  readonly log: Services['log'];
  readonly metrics: Pick<Services['metrics'], 'subgraphSeconds'>;
}

/** Calls a subgraph in another process over keep-alive connections. */
export function overHttp(options: HttpTransportOptions): Transport {
  const { name, url, answerBytesMax, log, metrics } = options;
  const { post, close } = createPoster(url, options);
  const headersOf = options.secrets ? signing(options.secrets) : plain;
  const upstream = createUpstream(options);
  const observe = timed(metrics, name, 'CLIENT');
  return {
    prepare({ query, operationName }) {
      const named = operationName ? `,"operationName":${JSON.stringify(operationName)}` : '';
      const head = `{"query":${JSON.stringify(query)}${named}`;
      return observe(async (variables, from, representations) => {
        try {
          const body = head + variablesJson(variables, representations);
          return resultOf(await post(body, await headersOf(from), from.signal));
        } catch (error) {
          if (!from.signal?.aborted) {
            log.warn({ err: error, subgraph: name, requestId: from.requestId }, 'subgraph is away');
          }
          if (error instanceof AnswerTooLargeError) return tooLargeResult(name, answerBytesMax);
          return awayResult(name, 'is away or did not answer in time');
        }
      });
    },
    subscribe: (request, from) => upstream.subscribe(request, from),
    async close() {
      await Promise.all([close(), upstream.close()]);
    },
  };
}

/** Returns the remaining request body; representations are already JSON. */
function variablesJson(variables: Variables, representations: Representations | undefined): string {
  if (!representations) return `,"variables":${JSON.stringify(variables)}}`;
  const others = JSON.stringify(variables).slice(1, -1);
  return `,"variables":{${others}${others && ','}"representations":[${representations.keys.join()}]}}`;
}

type Headers = Record<string, string>;

const plain = (from: Request): Headers => injectTrace({ ...GRAPHQL_HEADERS, 'x-request-id': from.requestId });

/** Time for which the token of a signed caller is reused; it is valid for 60 s. */
const TOKEN_REUSED_MS = 20_000;

function signing(secrets: SigningSecrets): (from: Request) => Promise<Headers> {
  const tokens = new LRUCache<string, Promise<string>>({ max: 10_000, ttl: TOKEN_REUSED_MS });
  return async (from) => {
    const signed = { caller: from.caller, address: from.address ?? null };
    const key = JSON.stringify(signed);
    const token = tokens.get(key) ?? signCaller(signed, secrets);
    if (!tokens.has(key)) tokens.set(key, token);
    return {
      ...plain(from),
      [CALLER_HEADER]: await token,
      ...(from.mayReadReplica && { [REPLICA_HEADER]: '1' }),
      ...(from.hasPrivacySignal && { [PRIVACY_HEADER]: '1' }),
      ...(from.idempotencyKey && { 'idempotency-key': from.idempotencyKey }),
    };
  };
}
