import { anonymous, type Caller, defaultLimits } from '@loyalty/platform/base/caller';
import { fixedClock } from '@loyalty/platform/base/clock';
import { AppError, forbidden, httpStatus, unauthenticated, unavailable } from '@loyalty/platform/base/errors';
import { type PushIterator, pushIterator } from '@loyalty/platform/base/iterators';
import { userCookie } from '@loyalty/platform/identity/session-cookie';
import { createListeners } from '@loyalty/platform/live/listeners';
import type { Live } from '@loyalty/platform/live/live';
import { createMemoryLive } from '@loyalty/platform/live/live-memory';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import fastify, { type FastifyReply } from 'fastify';
import { createAuthenticator } from '../admission/authenticate.ts';
import type { CallToLog } from '../admission/call-log.ts';
import { createRateLimits } from '../admission/rate-limits.ts';
import type { OperationResult } from '../error-formatting.ts';
import { automaticPersisted, safelistOnly } from '../operations/persisted.ts';
import { keptInMemory } from '../operations/persisted-texts.ts';
import type { Safelist } from '../operations/safelist.ts';
import type { Transport } from '../transport/transport.ts';
import { type Bounds, bounds } from './bounds.ts';
import type { SocketParts, StreamingGraph } from './connection-operations.ts';
import { streamTypeOf } from './event-stream-request.ts';
import { addSockets } from './sockets.ts';

/** The credential `key-1` belongs to the actor `key:1`, and `key-2` to `key:2`; both are in workspace `w`. */
export type SocketGateway = Awaited<ReturnType<typeof openGateway>>;

type StreamingAnswer = Awaited<ReturnType<StreamingGraph['subscribe']>>;

const ok = (value: string): OperationResult => ({ data: { value } });

/**
 * A graph with a few operations: the test sends `ticks`, `flood` never ends, `overflow` fails as a slow
 * consumer, `located` needs a module, `slow` waits until the test opens the gate.
 */
function createGraph() {
  const ticks = new Set<PushIterator<OperationResult>>();
  const gate = Promise.withResolvers<void>();
  const seen: Caller[] = [];
  const state = { floods: 0, slow: 0, pulled: 0 };
  const feed = () => {
    const iterator = pushIterator<OperationResult>({ max: 1_000, onEnd: () => ticks.delete(iterator) });
    ticks.add(iterator);
    return iterator;
  };
  const flood = (): AsyncIterableIterator<OperationResult> => {
    state.floods += 1;
    let isEnded = false;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (isEnded) return { done: true, value: undefined };
        state.pulled += 1;
        return { done: false, value: ok('x'.repeat(100_000)) };
      },
      async return() {
        isEnded = true;
        state.floods -= 1;
        return { done: true, value: undefined };
      },
    };
  };
  const overflowing = async function* (): AsyncGenerator<OperationResult> {
    yield ok('first');
    throw new AppError('RATE_LIMITED', 'SLOW_CONSUMER', 'Too many results waited. Read faster.');
  };
  const graph: StreamingGraph = {
    async subscribe(operation, from): Promise<StreamingAnswer> {
      seen.push(from.caller);
      const refused = graph.refused(operation, from.caller);
      if (refused) return { errors: [errorOf(refused)] };
      if (/ticks|located/.test(operation.query)) return feed();
      if (operation.query.includes('flood')) return flood();
      if (operation.query.includes('overflow')) return overflowing();
      if (operation.query.includes('bug')) throw new TypeError('x.y is undefined at /srv/app.ts');
      if (operation.query.includes('slow')) {
        state.slow += 1;
        await gate.promise;
        return ok('slow');
      }
      if (!operation.query.includes('hello')) return { errors: [{ message: 'No such field.' }] };
      return ok(`hello ${operation.variables?.['name'] ?? from.caller.actor}`);
    },
    refused: ({ query }, caller) =>
      query.includes('located') && !caller.modules.includes('location')
        ? forbidden('MODULE_DISABLED', 'The module location is not enabled in this workspace.')
        : null,
    typeOf: ({ query }) => (/^(query|mutation|subscription)/.exec(query)?.[1] ?? null) as never,
  };
  const tick = (value: string) => {
    for (const iterator of ticks) iterator.push(ok(value));
  };
  return { ...graph, ticks, tick, state, seen, endSource: gate.resolve };
}

const errorOf = ({ message, category, code }: AppError) => ({
  message,
  extensions: { code: category, reason: code },
});

/** Credentials in the form of the workspace subgraph; tests may change them. */
function createWorkspace() {
  const keyOf = (actor: string): Caller => ({
    ...anonymous,
    kind: 'KEY',
    actor,
    workspaceId: 'w',
    modules: ['location'],
    limits: defaultLimits,
  });
  const known = new Map<string, { caller: Caller; expiresAt: string | null }>(
    ['1', '2'].map((id) => [`key-${id}`, { caller: keyOf(`key:${id}`), expiresAt: null }]),
  );
  const state = { isAway: false, asked: 0, hold: null as Promise<void> | null };
  const transport = {
    prepare: () => async (variables: { credential: string }) => {
      state.asked += 1;
      const found = known.get(variables.credential);
      await state.hold;
      if (state.isAway) return { errors: [errorOf(unavailable('SUBGRAPH_UNAVAILABLE', 'It is away.'))] };
      if (found) return { data: { _caller: found } };
      return { errors: [errorOf(unauthenticated('CREDENTIAL_INVALID', 'The credential is not valid.'))] };
    },
    async subscribe() {
      throw new Error('not here');
    },
    async close() {},
  };
  return { known, state, transport: transport as unknown as Transport };
}

/** Live events within this process that a test can interrupt. */
function createLive(): Live & { gap(): void } {
  const memory = createMemoryLive();
  const gaps = createListeners({});
  return { ...memory, onGap: gaps.onGap, gap: gaps.gap };
}

/** Starts sockets and streams on a port, over a small graph, with limits as short as a test needs. */
export async function openGateway(given: Partial<Bounds> = {}, port = 0, safelist?: Safelist) {
  const live = createLive();
  const clock = fixedClock('2026-03-02T10:00:00Z');
  const metrics = createMetrics();
  const workspace = createWorkspace();
  const graph = createGraph();
  const calls: CallToLog[] = [];
  const callLog = { record: (call: CallToLog) => void calls.push(call), close: async () => undefined };
  // Created before the authenticator subscribes, so that no test relies on an order of listeners.
  const app = fastify();
  const log = createLog({ level: 'silent', name: 'test' });
  const services = { live, clock, metrics, log, config: { TRUST_PROXY: 0 } };
  const late: { authenticator?: ReturnType<typeof createAuthenticator> } = {};
  const parts: SocketParts = {
    graph,
    callLog,
    userCookie: userCookie({ isProduction: false }),
    persisted: safelist ? safelistOnly(safelist) : automaticPersisted(keptInMemory()),
    rateLimits: createRateLimits(undefined),
    authenticator: {
      identify: (...args) => late.authenticator!.identify(...args),
      authenticate: (...args) => late.authenticator!.authenticate(...args),
      close: () => undefined,
    },
  };
  const sockets = addSockets(app, services, parts, { ...bounds, sweepMs: 20, ...given });
  late.authenticator = createAuthenticator(workspace.transport, live, clock);
  app.decorateRequest('caller');
  app.decorateRequest('graphRequest', function () {
    return { caller: this.caller, requestId: this.id };
  });
  app.setErrorHandler((error, _request, reply) => answerError(error, reply));
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler(request, reply) {
      const type = streamTypeOf(request);
      return type ? sockets.stream(request, reply, type) : reply.send({ data: 'over HTTP' });
    },
  });
  const url = await app.listen({ port, host: '127.0.0.1' });
  return {
    url: `${url}/graphql`,
    socketUrl: `${url.replace('http', 'ws')}/graphql`,
    port: Number(new URL(url).port),
    graph,
    live,
    clock,
    metrics,
    calls,
    workspace,
    close: () => app.close(),
  };
}

function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof AppError)) throw error;
  return reply.status(httpStatus[error.category]).send({ errors: [errorOf(error)] });
}
