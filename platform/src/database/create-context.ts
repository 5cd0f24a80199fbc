import { setTimeout as delay } from 'node:timers/promises';
import type { Connections, Sql } from '@loyalty/prisma/client';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { Caller, Scope } from '../base/caller.ts';
import { unauthenticated } from '../base/errors.ts';
import type { Context, CurrentRequest, Request, Services } from '../context.ts';
import { createLoaders } from './loaders.ts';
import { insertEvents, type TracedEvent } from './outbox.store.ts';

const never = new AbortController().signal;

/** Attempts per request, including the first. */
const ATTEMPTS_MAX = 3;
/** Delay before a retry, so that the transaction that PostgreSQL preferred has locked its rows by then. */
const AGAIN_AFTER_MS = 20;

/** Share of the time limit for the work; the rest is for sending the answer. */
const WORKING_SHARE = 0.9;

/** Returns `Request.deadlineAt` for a request that begins now and must be answered within `timeoutMs`. */
export const deadlineIn = (timeoutMs: number): number => performance.now() + WORKING_SHARE * timeoutMs;

/** Time that a request needs after a wait to finish its answer. */
const ANSWER_MS = 1_000;

/**
 * Returns the time by `performance.now()` at which a request stops waiting for other requests: after
 * `mostMs`, or earlier if its answer would be late otherwise.
 */
export const endOfWait = ({ deadlineAt }: Pick<CurrentRequest, 'deadlineAt'>, mostMs: number): number =>
  Math.min(performance.now() + mostMs, deadlineAt - ANSWER_MS);

/** Creates a context outside of any transaction. */
export function createContext(services: Services, request: Request): Context {
  const { database } = services;
  const connections = request.signal ? database.cancellable(request.signal) : database;
  return build(services, request, connections, { open: null, current: currentOf(request) });
}

const currentOf = (request: Request): CurrentRequest => ({
  requestId: request.requestId,
  idempotencyKey: request.idempotencyKey ?? null,
  address: request.address ?? null,
  hasPrivacySignal: request.hasPrivacySignal ?? false,
  signal: request.signal ?? never,
  deadlineAt: request.deadlineAt ?? Number.POSITIVE_INFINITY,
  missedMs: request.missedMs ?? 0,
  changedCredentials: new Set(),
  replayed: request.replayed ?? new Set(),
});

/** Actions that a transaction performs at its end. */
interface OpenTransaction {
  /** Written together with the commit. */
  readonly events: TracedEvent[];
  /** Run after the commit. */
  readonly acts: (() => Promise<void>)[];
}

/** The shared parts of all contexts of one request. */
interface Shared {
  /** Null outside of a transaction. */
  readonly open: OpenTransaction | null;
  readonly current: CurrentRequest;
}

function build(services: Services, request: Request, connections: Connections, shared: Shared): Context {
  const { caller, requestId } = request;
  const { open, current } = shared;
  const { log, database } = services;
  const run = (act: () => Promise<void>) =>
    void act().catch((error: unknown) => log.warn({ err: error, requestId }, 'act after commit failed'));
  let lists: Context | undefined;
  const ctx: Context = {
    caller,
    get scope() {
      return scopeOf(caller);
    },
    get prisma() {
      return connections.prismaIn(scopeOf(caller));
    },
    sql: connections.sql,
    services,
    clock: services.clock,
    log,
    request: current,
    isInTransaction: open !== null,
    outsideTransaction: () => outsideOf(ctx),
    forLists: () => (lists ??= listsOf(ctx, request, connections, shared)),
    load: (declared, key) => loaders.load(declared, key),
    forget: () => loaders.forget(),
    async transaction(work) {
      if (open) return work(ctx);
      const within = (tx: Connections, begun: OpenTransaction) =>
        work(build(services, request, tx, { ...shared, open: begun }));
      const { result, acts } = await attempts(request, () => transact(database, request, within));
      for (const act of acts) run(act);
      return result;
    },
    writeEvents: async (events) =>
      open ? void open.events.push(...events) : insertEvents(connections.sql, events),
    afterCommit: (act) => (open ? void open.acts.push(act) : run(act)),
    as: (other) =>
      build(services, requestOf(request, other), connections, {
        open,
        current: { ...current, idempotencyKey: null },
      }),
  };
  const loaders = createLoaders(ctx);
  return ctx;
}

async function transact<T>(
  database: Services['database'],
  { signal, deadlineAt }: Request,
  work: (tx: Connections, begun: OpenTransaction) => Promise<T>,
): Promise<{ readonly result: T; readonly acts: OpenTransaction['acts'] }> {
  const begun: OpenTransaction = { events: [], acts: [] };
  const options = { signal, ...(deadlineAt && { deadlineAt }), last: () => lastOf(begun) };
  const result = await database.transaction((tx) => work(tx, begun), options);
  return { result, acts: begun.acts };
}

/**
 * Retries the transaction of a request that PostgreSQL rolled back in favour of another one, within the time
 * limit. Transactions of jobs are retried by their queues.
 */
async function attempts<T>({ deadlineAt = 0 }: Request, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isVictim = failedWith(error, 'DEADLOCK_DETECTED', 'SERIALIZATION_FAILURE');
      if (!isVictim || count === ATTEMPTS_MAX || performance.now() > deadlineAt) throw error;
      await delay(AGAIN_AFTER_MS * (1 + Math.random()));
    }
  }
}

const lastOf = ({ events }: OpenTransaction) =>
  events.length > 0 ? (sql: Sql) => insertEvents(sql, events) : null;

/** The same request as another caller. */
const requestOf = (request: Request, caller: Caller): Request => ({
  ...request,
  caller,
  idempotencyKey: null,
  mayReadReplica: false,
});

function outsideOf({ services, caller, request }: Context): Context {
  const { requestId, deadlineAt, changedCredentials, replayed } = request;
  const { prismaIn, outsideTransaction: sql } = services.database;
  const outside = { caller, requestId, deadlineAt };
  const current = { ...currentOf(outside), changedCredentials, replayed };
  return build(services, outside, { prismaIn, sql }, { open: null, current });
}

function listsOf(ctx: Context, request: Request, { prismaIn }: Connections, shared: Shared): Context {
  const { caller, services, isInTransaction } = ctx;
  if (!services.replica || !request.mayReadReplica || !caller.workspaceId || isInTransaction) return ctx;
  const sql = services.replica.sqlFor(caller, ctx.sql, request.signal);
  return build(services, { ...request, mayReadReplica: false }, { prismaIn, sql }, shared);
}

function scopeOf(caller: Caller): Scope {
  if (!caller.workspaceId) {
    throw unauthenticated(
      'CREDENTIAL_MISSING',
      'Send an API key or a session token in the Authorization header.',
    );
  }
  return { workspaceId: caller.workspaceId, mode: caller.mode };
}
