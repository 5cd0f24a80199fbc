import { answerCheck } from './answer-check.ts';

/** A client of one origin over REST and GraphQL. It checks each REST answer against the OpenAPI documents. */
export interface Client {
  readonly url: string;
  rest(method: string, path: string, options?: RequestOptions): Promise<RestReply>;
  graph<Data = Record<string, never>>(
    query: string,
    variables?: object,
    credential?: string | null,
    headers?: Headers,
  ): Promise<GraphReply<Data>>;
}

type Headers = Readonly<Record<string, string>>;

export interface RequestOptions {
  /** An API key or a token, sent as a bearer token. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Headers;
}

export interface RestReply {
  readonly status: number;
  readonly headers: globalThis.Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies are compared with what the documents print
  readonly body: any;
}

export interface GraphReply<Data> {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly data: Data;
  readonly errors?: readonly {
    message: string;
    path?: (string | number)[];
    extensions: Record<string, unknown>;
  }[];
}

export function clientOf(url: string): Client {
  const bearer = (credential?: string | null): Headers =>
    credential ? { authorization: `Bearer ${credential}` } : {};
  const check = answerCheck(url);
  return {
    url,
    async rest(method, path, { as, body, headers } = {}) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = { method, headers: { ...json, ...bearer(as), ...headers } };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body: text });
      const received = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const reply = {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(received) : received,
      };
      const faults = await check(method, path, reply);
      if (faults.length > 0) throw new Error(`The answer is not as it is documented: ${faults.join('; ')}`);
      return reply;
    },
    async graph(query, variables = {}, credential, headers = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(credential), ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return {
        status: response.status,
        headers: response.headers,
        ...((await response.json()) as object),
      } as never;
    },
  };
}
