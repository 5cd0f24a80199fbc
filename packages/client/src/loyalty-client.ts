import createClient, { type Client } from 'openapi-fetch';
import type { paths as V1Paths } from '../generated/v1.ts';
import type { paths as V2Paths } from '../generated/v2.ts';
import { createLive, type LiveEvents } from './live.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

export interface LoyaltyOptions {
  /** Where the platform is, such as https://loyalty.example.com. */
  readonly url: string;
  /** An API key, or the token of a session. Absent only for what needs none, such as registering. */
  readonly key?: string;
  readonly retries?: RetryOptions;
  /** Sends requests. Default: the fetch of the runtime. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Opens sockets for live events. Default: the WebSocket of the runtime, which Node has from 22 on. */
  readonly webSocket?: unknown;
}

/** Both REST APIs by their documented paths, and live events. */
export interface LoyaltyClient {
  readonly v1: Client<V1Paths>;
  readonly v2: Client<V2Paths>;
  readonly live: LiveEvents;
}

/** A client that acts with one key. It holds no connection before it is used. */
export function createLoyaltyClient(options: LoyaltyOptions): LoyaltyClient {
  const { key, retries, fetch: send = (request: Request) => fetch(request) } = options;
  const baseUrl = options.url.replace(/\/+$/, '');
  const shared = {
    baseUrl,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    fetch: retryingFetch(send, retries),
  };
  return {
    v1: createClient<V1Paths>(shared),
    v2: createClient<V2Paths>(shared),
    live: createLive({ url: baseUrl, key, webSocket: options.webSocket }),
  };
}
