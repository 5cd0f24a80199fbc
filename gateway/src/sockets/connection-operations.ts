import type { Caller } from '@loyalty/platform/base/caller';
import type { ErrorCategory } from '@loyalty/platform/base/error-reasons';
import { type AppError, httpStatus } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import type { Request, Services } from '@loyalty/platform/context';
import { rateLimitRefusal } from '@loyalty/platform/identity/limiter';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { GraphQLFormattedError, OperationTypeNode } from 'graphql';
import type { Authenticator } from '../admission/authenticate.ts';
import type { CallLog } from '../admission/call-log.ts';
import type { RateLimits } from '../admission/rate-limits.ts';
import type { OperationResult } from '../error-formatting.ts';
import type { Operation } from '../operations/operations.ts';
import type { PersistedOperations, SentOperation } from '../operations/persisted.ts';
import type { Connection, Running } from './connection.ts';
import type { OpenConnections } from './connections.ts';
import { failedOperation, OperationError } from './operation-errors.ts';
import { createOperationRun } from './running-operation.ts';

/** The parts of the graph that sockets and streams use. */
export interface StreamingGraph {
  /**
   * Returns results of a subscription; a single result for other operations, and for operations that cannot
   * run.
   */
  subscribe(
    operation: Operation,
    from: Request,
  ): Promise<AsyncIterableIterator<OperationResult> | OperationResult>;
  /** Returns the refusal if the caller may not run the operation now; otherwise null. */
  refused(operation: Operation, caller: Caller): AppError | null;
  /** Returns null if the operation cannot be read; `subscribe` then returns the reasons. */
  typeOf(operation: Operation): OperationTypeNode | null;
}

/** Services of the process that sockets and streams use. */
export interface SocketServices extends Pick<Services, 'log' | 'live' | 'clock' | 'metrics'> {
  readonly config: Pick<Config, 'TRUST_PROXY'>;
}

/** Parts of the gateway that sockets and streams use. */
export interface SocketParts {
  readonly graph: StreamingGraph;
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly callLog: CallLog;
  readonly userCookie: SessionCookie;
  readonly persisted: Pick<PersistedOperations, 'textOf'>;
}

/** An operation as sent by a client. */
export interface OperationMessage extends SentOperation {
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** One requested operation of a connection. */
interface RequestedOperation {
  readonly sent: OperationMessage;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Size of the message in bytes. */
  readonly bytes: number;
  /** True if the request that carries it has already been counted. */
  readonly isCounted: boolean;
}

export interface ConnectionOperations {
  /** Creates the operation; it starts when its first result is requested. */
  begin(connection: Connection, asked: RequestedOperation): Running;
}

/** Runs operations of connections. They are counted, checked and recorded like those over HTTP. */
export function createConnectionOperations(
  services: SocketServices,
  parts: SocketParts,
  connections: OpenConnections,
): ConnectionOperations {
  const { openSubscriptions } = services.metrics;
  return {
    begin(connection, asked) {
      let isStreaming = false;
      const run = createOperationRun(
        async (signal) => {
          await connections.ensureCurrent(connection);
          const source = await start(services, parts, running, { connection, asked, signal });
          isStreaming = !signal.aborted && running.type === 'subscription';
          if (isStreaming) openSubscriptions.inc();
          return source;
        },
        () => {
          if (isStreaming) openSubscriptions.dec();
          connection.running.delete(running);
          connections.operationEnded(connection);
        },
      );
      const running: Running = { operation: null, bytes: asked.bytes, run, type: undefined };
      connection.running.add(running);
      return running;
    },
  };
}

interface Start {
  readonly connection: Connection;
  readonly asked: RequestedOperation;
  readonly signal: AbortSignal;
}

/** @throws OperationError for an operation without a result */
async function start(services: SocketServices, parts: SocketParts, running: Running, given: Start) {
  const { connection, asked } = given;
  const startedAt = performance.now();
  /** Subscriptions are recorded at their start, so that the call log shows them while they run. */
  const record = (status: number, error: GraphQLFormattedError | undefined): void =>
    recordCall(services, parts.callLog, connection.caller, {
      ...asked,
      status,
      reason: (error?.extensions?.['reason'] as string | undefined) ?? null,
      channel: running.type === 'subscription' ? 'subscription' : 'graphql',
      durationMs: performance.now() - startedAt,
    });
  const failed = (error: unknown) => failedOperation(error, asked.requestId, services.log);
  try {
    if (!asked.isCounted) await count(services, parts.rateLimits, connection);
    const { operationName, variables } = asked.sent;
    const operation = { query: await parts.persisted.textOf(asked.sent), operationName, variables };
    running.operation = operation;
    running.type = parts.graph.typeOf(operation);
    const answer = await parts.graph.subscribe(operation, requestOf(given));
    const source = Symbol.asyncIterator in answer ? withData(answer, failed) : only(answer);
    record(200, 'errors' in answer ? answer.errors?.[0] : undefined);
    return source;
  } catch (thrown) {
    const error = failed(thrown);
    const [first] = error.errors;
    record(httpStatus[first?.extensions?.['code'] as ErrorCategory] ?? 500, first);
    throw error;
  }
}

async function count({ metrics }: SocketServices, limits: RateLimits, { caller, address }: Connection) {
  const state = await limits.consume(caller, address);
  if (state.allowed) return;
  metrics.rateLimitedTotal.inc({ limit: 'requests' });
  throw rateLimitRefusal(state);
}

/** The caller is read from the connection each time, because it may change during a subscription. */
const requestOf = ({ connection, asked, signal }: Start): Request => ({
  get caller() {
    return connection.caller;
  },
  requestId: asked.requestId,
  idempotencyKey: asked.idempotencyKey,
  address: connection.address,
  hasPrivacySignal: connection.hasPrivacySignal,
  signal,
});

function only(result: OperationResult): Iterator<OperationResult> {
  if (result.data === undefined) throw new OperationError(result.errors ?? []);
  return [result].values();
}

/** A result without data ends a subscription with its error. */
function withData(
  source: AsyncIterator<OperationResult>,
  failed: (error: unknown) => OperationError,
): AsyncIterator<OperationResult> {
  return {
    async next() {
      const step = await source.next().catch((error: unknown) => {
        throw failed(error);
      });
      if (step.done || step.value.data !== undefined) return step;
      await source.return?.();
      throw new OperationError(step.value.errors ?? []);
    },
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
  };
}

const NAME_LENGTH_MAX = 100;

function recordCall(
  { metrics, clock }: SocketServices,
  callLog: CallLog,
  { workspaceId, mode, actor }: Caller,
  call: RequestedOperation & {
    status: number;
    reason: string | null;
    channel: 'subscription' | 'graphql';
    durationMs: number;
  },
): void {
  const { status, reason, channel, durationMs, requestId, sent } = call;
  const operation = sent.operationName?.slice(0, NAME_LENGTH_MAX) || 'anonymous operation';
  metrics.observeRequest({ channel, operation, status, seconds: durationMs / 1_000 });
  if (!workspaceId) return;
  callLog.record({
    workspaceId,
    mode,
    actor,
    channel: 'GRAPHQL',
    operation,
    status,
    durationMs: Math.round(durationMs),
    requestId,
    reason,
    calledAt: clock.now(),
  });
}
