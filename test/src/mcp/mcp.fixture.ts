import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Stack } from '../harness/stack.ts';

/** Connects a client of the official SDK with a credential. */
export async function connect({ url }: Pick<Stack, 'url'>, credential: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${credential}` } },
    }),
  );
  return client;
}

/** Sends one JSON-RPC request, as a client of version 2025-11-25 does. */
export async function post(
  { url }: Pick<Stack, 'url'>,
  credential: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, message: messageIn(text) };
}

/** The message of a JSON answer, or of the last event of a stream. */
// biome-ignore lint/suspicious/noExplicitAny: messages are compared with what the protocol says
function messageIn(text: string): any {
  const data = text.split('\n').findLast((line) => line.startsWith('data: '));
  const json = data ? data.slice('data: '.length) : text;
  return json.startsWith('{') || json.startsWith('[') ? JSON.parse(json) : json;
}

/** The structured result of a tool. */
export const objectOf = ({ structuredContent }: { structuredContent?: unknown }) =>
  // biome-ignore lint/suspicious/noExplicitAny: replies are compared with what the documents print
  structuredContent as any;
