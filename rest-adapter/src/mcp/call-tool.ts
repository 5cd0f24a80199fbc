import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { anObject, aString, required, trueOrFalse } from '@loyalty/platform/base/input-rules';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { RecordToolCallDocument } from '#generated/graphql';
import type { GraphClient } from '../graph-client.ts';
import { placeOf, prefixOf, type Received, readVariables } from '../input.ts';
import { aboutOf, bodyOf, type Endpoint, execute } from '../table/endpoint.ts';
import type { Row } from '../table/row.ts';
import type { Tool } from './tool.ts';
import { IDEMPOTENCY_KEY, takesKey, WAIT } from './tool-schema.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** One call of a tool, with what runs it. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly graph: GraphClient;
  readonly request: FastifyRequest;
}

/**
 * The reply of the tool's row.
 *
 * @throws AppError as the same call over REST is refused
 */
export async function callTool({ tool: { endpoint }, args, graph, request }: ToolCall): Promise<unknown> {
  const { row, operation } = endpoint;
  const { [IDEMPOTENCY_KEY]: key, [WAIT]: wait, ...given } = args;
  if (key !== undefined) request.headers['idempotency-key'] = checkedKey(endpoint, key);
  if (wait !== undefined && (!row.tool?.waits || typeof wait !== 'boolean'))
    throw invalid(WAIT, row.tool?.waits ? trueOrFalse : 'is not an argument of this tool');
  const received = receivedOf(endpoint, given);
  const variables = readVariables(row, operation, received);
  const { data, error } = await execute(endpoint, variables, graph, request);
  if (error) throw error;
  return bodyOf(endpoint, data, { ...received.params, ...aboutOf(row, variables) });
}

function checkedKey(endpoint: Endpoint, key: unknown): string {
  if (!takesKey(endpoint)) throw invalid(IDEMPOTENCY_KEY, 'is not an argument of this tool', 'UNKNOWN_FIELD');
  if (typeof key !== 'string') throw invalid(IDEMPOTENCY_KEY, aString);
  return key;
}

/** The parts of the HTTP request that would carry these arguments. */
function receivedOf({ row, operation }: Endpoint, args: Arguments): Received {
  const params: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const prefix = prefixOf(row, name);
    if (placeOf(row, name) === 'path') params[name] = pathText(name, value);
    else if (prefix !== null) Object.assign(rest, withPrefix(name, value, prefix));
    else rest[name] = value;
  }
  for (const { name } of operation.parameters)
    if (placeOf(row, name) === 'path' && params[name] === undefined) throw invalid(name, required);
  return row.method === 'GET' ? { params, query: rest, body: undefined } : { params, query: {}, body: rest };
}

function pathText(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalid(name, 'must be a text that is not empty');
  return value;
}

/** `{ status: 'open' }` → `{ f_status: 'open' }`. */
function withPrefix(name: string, value: unknown, prefix: string): Arguments {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, anObject);
  for (const [field, text] of Object.entries(value))
    if (typeof text !== 'string') throw invalid(`${name}.${field}`, aString);
  return Object.fromEntries(Object.entries(value).map(([field, text]) => [prefix + field, text]));
}

/** Where a row is waited for: its reply has this many steps done, and has ended or not. */
function progressOf({ tool }: Row, reply: unknown): { done: number; total: number | null; ended: boolean } {
  const { status, ended, done, total } = tool!.waits!;
  const read = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, key) => (value as Arguments | null)?.[key], reply);
  // Null until all rows of a file are read.
  const known = total === undefined ? null : read(total);
  return {
    done: Number(read(done) ?? 0),
    total: typeof known === 'number' ? known : null,
    ended: ended.includes(String(read(status))),
  };
}

/** What the agent reads of an error. */
export const errorOf = ({
  code,
  message,
  details: { field, errors, retryAfterSeconds },
}: AppError): Arguments => ({
  code,
  message,
  ...(field !== undefined && { field }),
  ...(errors && { errors }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** A call of a tool that is over. */
interface MadeCall {
  readonly tool: string;
  readonly args: Arguments;
  readonly ok: boolean;
  readonly reason?: string | undefined;
}

/** Adds a call to the caller's run log. That it cannot be written is logged; the call was made anyway. */
export async function mirrorCall(
  graph: GraphClient,
  request: FastifyRequest,
  { tool, args, ok, reason }: MadeCall,
): Promise<void> {
  // The key stood for the call itself.
  delete request.headers['idempotency-key'];
  const input = { tool, args, ok, ...(reason !== undefined && { reason }) };
  const question = {
    query: RecordToolCallDocument.toString(),
    operationName: 'RecordToolCall',
    variables: { input },
  };
  const { errors } = await graph.execute(question, request);
  if (errors?.[0])
    request.log.warn(
      { requestId: request.id, reason: errors[0].extensions?.['reason'] },
      'call not mirrored',
    );
}

const EVERY_MS = SECOND_MS;
const LONGEST_MS = 5 * MINUTE_MS;

/**
 * The reply once what it shows has ended; after five minutes, the reply as it is then. A client that gave
 * a progress token hears of every change. It stops when the client goes or cancels.
 */
export async function waitFor(call: ToolCall, { mcpReq }: ServerContext): Promise<unknown> {
  const { row } = call.tool.endpoint;
  const token = mcpReq._meta?.progressToken;
  const signal = AbortSignal.any([mcpReq.signal, call.request.gone]);
  const until = performance.now() + LONGEST_MS;
  let reported = -1;
  for (;;) {
    const reply = await callTool(call);
    const { done, total, ended } = progressOf(row, reply);
    if (token !== undefined && done > reported) {
      const params = { progressToken: token, progress: done, ...(total !== null && { total }) };
      await mcpReq.notify({ method: 'notifications/progress', params });
      reported = done;
    }
    if (ended || performance.now() >= until) return reply;
    await sleep(EVERY_MS, undefined, { signal });
  }
}
