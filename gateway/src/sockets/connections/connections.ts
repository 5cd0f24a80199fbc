import type { Clock } from '@loyalty/platform/clock';
import { type AppError, rateLimited, unavailable } from '@loyalty/platform/errors';
import type { Live } from '@loyalty/platform/live/live';
import type { Log } from '@loyalty/platform/operations/log';
import type { Authenticator, Credentials } from '../../admission/authenticate.ts';
import type { Bounds } from '../bounds.ts';
import { closeReason } from './close-codes.ts';
import { addressHolder, type Connection, newConnection, type Wire } from './connection.ts';
import { createHolders, type Holders } from './connection-counts.ts';
import { adopt, type CredentialWatch, doubt, type RefusedOf, watchCredentials } from './credential-watch.ts';
import { createDrain } from './drain.ts';
import { sweep } from './sweep.ts';

/** Every open socket and event stream of this process. */
export interface Connections {
  /** True once the server is going: nothing new is taken in. */
  readonly isDraining: boolean;
  /** Why no further connection is taken in from the address; null when one is. */
  refusal(address: string): AppError | null;
  open(address: string, wire: Wire): Connection;
  /**
   * Finds out who is on a connection, which counts for that caller from then on.
   *
   * @throws AppError as the authenticator does, or RATE_LIMITED (429) for a caller with too many connections
   */
  signIn(connection: Connection, credentials: Credentials): Promise<void>;
  /**
   * Looks a doubted credential up again, before anything new runs on it.
   *
   * @throws AppError AUTHENTICATION_UNAVAILABLE (503) while it cannot be looked up
   */
  assure(connection: Connection): Promise<void>;
  /** An operation of the connection is over. */
  settled(connection: Connection): void;
  /** The socket or stream is gone. */
  closed(connection: Connection): void;
  /** Ends all: at once where no answer is owed, else after it, in bounded time. */
  drain(): Promise<void>;
}

interface Parts {
  readonly authenticator: Authenticator;
  readonly live: Live;
  readonly log: Log;
  readonly clock: Clock;
  readonly refusedOf: RefusedOf;
}

interface Within extends Parts {
  readonly open: ReadonlySet<Connection>;
  readonly holders: Holders;
  readonly watch: CredentialWatch;
  readonly bounds: Bounds;
}

export function createConnections(parts: Parts, bounds: Bounds): Connections {
  const open = new Set<Connection>();
  const holders = createHolders(bounds.connectionsPerHolder);
  const watch = watchCredentials(open, parts);
  const drain = createDrain(open, bounds);
  const timer = setInterval(() => sweep(open, parts.clock, bounds, watch.recheck), bounds.sweepMs).unref();

  return {
    get isDraining() {
      return drain.isOn;
    },
    refusal(address) {
      if (drain.isOn) return unavailable('SHUTTING_DOWN', closeReason('GOING_AWAY'));
      return holders.isFull(addressHolder(address)) ? tooMany(bounds) : null;
    },
    open(address, wire) {
      const connection = newConnection(address, wire);
      open.add(connection);
      holders.add(connection.holder);
      return connection;
    },
    signIn: (connection, credentials) =>
      signIn(connection, credentials, { ...parts, open, holders, watch, bounds }),
    async assure(connection) {
      if (connection.doubtedSince === null) return;
      await watch.recheck(connection);
      if (connection.doubtedSince === null) return;
      throw unavailable('AUTHENTICATION_UNAVAILABLE', 'The credential cannot be looked up now. Try again.');
    },
    settled(connection) {
      if (connection.running.size === 0) connection.idleSince = performance.now();
      drain.settled(connection);
    },
    closed(connection) {
      if (!open.delete(connection)) return;
      holders.remove(connection.holder);
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

async function signIn(connection: Connection, credentials: Credentials, within: Within): Promise<void> {
  const { authenticator, refusedOf, open, holders, watch, bounds } = within;
  const changesBefore = watch.changes;
  const identity = await authenticator.identify(credentials, 'connect');
  const { kind, actor } = identity.caller;
  if (kind === 'ANONYMOUS' || !open.has(connection)) return;
  if (holders.isFull(actor)) throw tooMany(bounds);
  holders.remove(connection.holder);
  holders.add(actor);
  connection.holder = actor;
  connection.credentials = credentials;
  adopt(connection, identity, refusedOf);
  // An answer that was on its way while something changed may be old already.
  if (watch.changes === changesBefore) return;
  doubt(connection);
  await watch.recheck(connection);
}

const tooMany = ({ connectionsPerHolder }: Bounds): AppError =>
  rateLimited(
    `At most ${connectionsPerHolder} connections are open at once for one credential or address.`,
    5,
  );
