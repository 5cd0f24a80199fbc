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

/** One call of a tool, with the graph that runs it and the request that it came in. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly graph: GraphClient;
  readonly request: FastifyRequest;
}

/**
 * Calls the row of a tool and returns its reply.
 *
 * @throws AppError with the errors of the same call over REST
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

/** Returns path, query and body of the HTTP request that has these arguments. */
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

/** Adds the prefix to the names: `{ status: 'open' }` becomes `{ f_status: 'open' }`. */
function withPrefix(name: string, value: unknown, prefix: string): Arguments {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, anObject);
  for (const [field, text] of Object.entries(value))
    if (typeof text !== 'string') throw invalid(`${name}.${field}`, aString);
  return Object.fromEntries(Object.entries(value).map(([field, text]) => [prefix + field, text]));
}

/** Reads the progress from the reply of a row that has `waits`. */
function progressOf({ tool }: Row, reply: unknown): { done: number; total: number | null; ended: boolean } {
  const { status, ended, done, total } = tool!.waits!;
  const read = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, key) => (value as Arguments | null)?.[key], reply);
  // The total is null until all rows of a file have been read.
  const known = total === undefined ? null : read(total);
  return {
    done: Number(read(done) ?? 0),
    total: typeof known === 'number' ? known : null,
    ended: ended.includes(String(read(status))),
  };
}

/** Returns the parts of an error that the agent sees. */
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

/** A call of a tool that has ended. */
interface EndedCall {
  readonly tool: string;
  readonly args: Arguments;
  readonly ok: boolean;
  readonly reason?: string | undefined;
}

/**
 * Adds an ended call to the caller's run log. If this fails, the failure is only logged, because the call
 * itself is done.
 */
export async function recordCall(
  graph: GraphClient,
  request: FastifyRequest,
  { tool, args, ok, reason }: EndedCall,
): Promise<void> {
  // The key was only for the call itself.
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

const POLL_MS = SECOND_MS;
const WAIT_MS_MAX = 5 * MINUTE_MS;

/**
 * Repeats a call until the work in its reply has ended, for at most five minutes, and returns the last reply.
 * A client that sent a progress token is notified of progress. Stops if the client disconnects or cancels.
 */
export async function waitFor(call: ToolCall, { mcpReq }: ServerContext): Promise<unknown> {
  const { row } = call.tool.endpoint;
  const token = mcpReq._meta?.progressToken;
  const signal = AbortSignal.any([mcpReq.signal, call.request.gone]);
  const until = performance.now() + WAIT_MS_MAX;
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
    await sleep(POLL_MS, undefined, { signal });
  }
}
