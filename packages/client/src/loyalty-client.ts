import createClient, { type Client } from 'openapi-fetch';
import type { paths as V1Paths } from '../generated/v1.ts';
import type { paths as V2Paths } from '../generated/v2.ts';
import { createLive, type LiveEvents } from './live.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

export interface LoyaltyOptions {
  /** Address of the platform, such as https://loyalty.example.com. */
  readonly url: string;
  /**
   * An API key, or the token of a session. Only needed for calls with a credential; registering needs none.
   */
  readonly key?: string;
  readonly retries?: RetryOptions;
  /** Sends requests. Default: the fetch of the runtime. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * Opens sockets for live events. Default: the WebSocket of the runtime, which Node has since version 22.
   */
  readonly webSocket?: unknown;
}

/** Both REST APIs by their documented paths, and live events. */
export interface LoyaltyClient {
  readonly v1: Client<V1Paths>;
  readonly v2: Client<V2Paths>;
  readonly live: LiveEvents;
}

/** Creates a client that uses one key. It opens no connection before its first use. */
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
