import { composeGateway, localTransports } from '@loyalty/cli/serve/compose-process';
import type { Config } from '@loyalty/platform/operations/config';
import { startWorker, type Worker } from '@loyalty/worker/worker';
import { createTestServices, type TestServices } from './services.ts';

/** The whole product in this process behind a real port, over a database of its own. */
export interface Stack {
  readonly url: string;
  readonly services: TestServices;
  rest(method: string, path: string, options?: RequestOptions): Promise<RestReply>;
  graph<Data = Record<string, never>>(
    query: string,
    variables?: object,
    credential?: string | null,
    headers?: Headers,
  ): Promise<GraphReply<Data>>;
  /** Registers an account with a workspace of its own and signs it in. */
  signUp(name?: string): Promise<{ token: string; email: string; workspaceId: string }>;
  /** A key of the signed-in user's workspace. */
  key(
    token: string,
    scopes?: readonly string[],
    mode?: 'LIVE' | 'TEST',
  ): Promise<{ id: string; secret: string }>;
  /** Switches a module on in the signed-in owner's workspace; keys made before and after have it. */
  enable(token: string, module: string): Promise<void>;
  /** Starts the asynchronous side; it ends with the stack. */
  work(): Promise<Worker>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export interface RequestOptions {
  /** API key or token, sent as a bearer. */
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

/** The time is real here: sessions and keys are checked against it. */
export async function createStack(
  at = new Date().toISOString(),
  settings: Partial<Config> = {},
): Promise<Stack> {
  const made = await createTestServices(at);
  const services = { ...made, config: { ...made.config, ...settings } };
  const gateway = await composeGateway(services, localTransports(services));
  const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  let worker: Worker | undefined;
  const stack: Stack = {
    services,
    ...clientOf(url),
    signUp: (name) => signUp(stack, name),
    key: (token, scopes, mode) => createKey(stack, token, scopes, mode),
    enable: (token, module) => enable(stack, token, module),
    async work() {
      worker ??= await startWorker({
        ...services,
        config: { ...services.config, DATABASE_URL: services.url },
      });
      return worker;
    },
    async close() {
      await gateway.close();
      await worker?.stop();
      await services.close();
    },
  };
  return stack;
}

/** A client of both doors of one origin. */
export function clientOf(url: string): Pick<Stack, 'url' | 'rest' | 'graph'> {
  const bearer = (credential?: string | null): Headers =>
    credential ? { authorization: `Bearer ${credential}` } : {};
  return {
    url,
    async rest(method, path, { as, body, headers } = {}) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = { method, headers: { ...json, ...bearer(as), ...headers } };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body: text });
      const received = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(received) : received,
      };
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

let people = 0;

async function signUp(
  stack: Stack,
  name = 'Ada Owner',
): Promise<{ token: string; email: string; workspaceId: string }> {
  people += 1;
  const email = `owner.${process.pid}.${people}@example.com`;
  const password = `a long password ${people}`;
  const registered = await stack.rest('POST', '/api/v2/auth/register', { body: { email, password, name } });
  if (registered.status !== 201) throw new Error(`register: ${JSON.stringify(registered.body)}`);
  const { body } = await stack.rest('POST', '/api/v2/auth/login', { body: { email, password } });
  const { data } = await stack.graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    body.token,
  );
  return { token: body.token, email, workspaceId: data.viewer.workspace.id };
}

/** Every scope that a v2 integration may hold. */
export const v2Scopes = [
  'members:read',
  'members:write',
  'points:write',
  'coupons:read',
  'coupons:write',
  'captures:read',
  'captures:write',
  'receipts:read',
  'receipts:write',
  'orders:read',
  'orders:write',
  'catalog:read',
  'catalog:write',
  'imports:write',
  'objects:read',
  'objects:write',
  'ambassador:read',
  'ambassador:write',
  'test_data:purge',
  'stores:read',
  'stores:write',
  'custom_fields:read',
  'metrics:read',
  'keys:manage',
];

async function createKey(
  stack: Stack,
  token: string,
  scopes: readonly string[] = v2Scopes,
  mode = 'LIVE',
): Promise<{ id: string; secret: string }> {
  const { data, errors } = await stack.graph<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { name: 'test', scopes, mode } },
    token,
  );
  if (errors) throw new Error(`createApiKey: ${JSON.stringify(errors)}`);
  return { id: data.createApiKey.apiKey.id, secret: data.createApiKey.secret };
}

async function enable(stack: Stack, token: string, module: string): Promise<void> {
  const { errors } = await stack.graph(
    'mutation ($key: String!) { setModule(key: $key, enabled: true) { key } }',
    { key: module },
    token,
  );
  if (errors) throw new Error(`setModule: ${JSON.stringify(errors)}`);
}
