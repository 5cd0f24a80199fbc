import type { Clock } from '@loyalty/platform/base/clock';
import { type AppError, rateLimited, unavailable } from '@loyalty/platform/base/errors';
import type { Live } from '@loyalty/platform/live/live';
import type { Log } from '@loyalty/platform/observe/log';
import type { Authenticator, PresentedCredentials } from '../admission/authenticate.ts';
import type { Bounds } from './bounds.ts';
import { closeReason } from './close-codes.ts';
import { addressOwner, type Connection, type ConnectionTransport, newConnection } from './connection.ts';
import {
  applyIdentity,
  type CredentialWatch,
  markStale,
  type RefusalFor,
  watchCredentials,
} from './credential-watch.ts';
import { createDrain } from './drain.ts';
import { sweep } from './sweep.ts';

/** All open sockets and event streams of this process. */
export interface OpenConnections {
  /** True during a shutdown: new connections are refused. */
  readonly isDraining: boolean;
  /** Returns the refusal of a new connection from the address; null if it is accepted. */
  refusal(address: string): AppError | null;
  open(address: string, transport: ConnectionTransport, hasPrivacySignal: boolean): Connection;
  /**
   * Authenticates the client of a connection. The connection then counts for that caller.
   *
   * @throws AppError of the authenticator, or RATE_LIMITED (429) for a caller with too many connections
   */
  signIn(connection: Connection, credentials: PresentedCredentials): Promise<void>;
  /**
   * Looks a stale credential up again before a new operation starts on the connection.
   *
   * @throws AppError AUTHENTICATION_UNAVAILABLE (503) while it cannot be looked up
   */
  ensureCurrent(connection: Connection): Promise<void>;
  /** Called when an operation of the connection has ended. */
  operationEnded(connection: Connection): void;
  /** Called when the socket or stream is closed. */
  closed(connection: Connection): void;
  /**
   * Ends all connections in limited time: those with a query or mutation after its answer, others at once.
   */
  drain(): Promise<void>;
}

interface ConnectionServices {
  readonly authenticator: Authenticator;
  readonly live: Live;
  readonly log: Log;
  readonly clock: Clock;
  readonly refusalFor: RefusalFor;
}

/** Services and state for signing in. */
interface SignInContext extends ConnectionServices {
  readonly open: ReadonlySet<Connection>;
  readonly counts: ConnectionCounts;
  readonly watch: CredentialWatch;
  readonly bounds: Bounds;
}

export function createOpenConnections(services: ConnectionServices, bounds: Bounds): OpenConnections {
  const open = new Set<Connection>();
  const counts = createConnectionCounts(bounds.connectionsPerOwner);
  const watch = watchCredentials(open, services);
  const drain = createDrain(open, bounds);
  const timer = setInterval(() => sweep(open, services.clock, bounds, watch.recheck), bounds.sweepMs).unref();

  return {
    get isDraining() {
      return drain.isDraining;
    },
    refusal(address) {
      if (drain.isDraining) return unavailable('SHUTTING_DOWN', closeReason('GOING_AWAY'));
      return counts.isFull(addressOwner(address)) ? tooMany(bounds) : null;
    },
    open(address, transport, hasPrivacySignal) {
      const connection = newConnection(address, transport, hasPrivacySignal);
      open.add(connection);
      counts.add(connection.owner);
      return connection;
    },
    signIn: (connection, credentials) =>
      signIn(connection, credentials, { ...services, open, counts, watch, bounds }),
    async ensureCurrent(connection) {
      if (connection.staleSince === null) return;
      await watch.recheck(connection);
      if (connection.staleSince === null) return;
      throw unavailable('AUTHENTICATION_UNAVAILABLE', 'The credential cannot be looked up now. Try again.');
    },
    operationEnded(connection) {
      if (connection.running.size === 0) connection.idleSince = performance.now();
      drain.operationEnded(connection);
    },
    closed(connection) {
      if (!open.delete(connection)) return;
      counts.remove(connection.owner);
      connection.isEnding = true;
      for (const { run } of [...connection.running]) void run.return();
      drain.closed();
    },
    drain() {
      watch.close();
      clearInterval(timer);
      return drain.begin();
    },
  };
}

async function signIn(
  connection: Connection,
  credentials: PresentedCredentials,
  context: SignInContext,
): Promise<void> {
  const { authenticator, refusalFor, open, counts, watch, bounds } = context;
  const changesBefore = watch.changes;
  const identity = await authenticator.identify(credentials, 'connect');
  const { kind, actor } = identity.caller;
  if (kind === 'ANONYMOUS' || !open.has(connection)) return;
  if (counts.isFull(actor)) throw tooMany(bounds);
  counts.remove(connection.owner);
  counts.add(actor);
  connection.owner = actor;
  connection.credentials = credentials;
  applyIdentity(connection, identity, refusalFor);
  // A credential may have changed during its look-up; then the answer is already stale.
  if (watch.changes === changesBefore) return;
  markStale(connection);
  await watch.recheck(connection);
}

const tooMany = ({ connectionsPerOwner }: Bounds): AppError =>
  rateLimited(
    `At most ${connectionsPerOwner} connections are open at once for one credential or address.`,
    5,
  );

/** Number of open connections per credential or address. */
interface ConnectionCounts {
  isFull(owner: string): boolean;
  add(owner: string): void;
  remove(owner: string): void;
}

function createConnectionCounts(connectionsMax: number): ConnectionCounts {
  const counts = new Map<string, number>();
  const of = (owner: string) => counts.get(owner) ?? 0;
  return {
    isFull: (owner) => of(owner) >= connectionsMax,
    add: (owner) => void counts.set(owner, of(owner) + 1),
    remove(owner) {
      if (of(owner) > 1) counts.set(owner, of(owner) - 1);
      else counts.delete(owner);
    },
  };
}
