import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import type { AppError } from '@loyalty/platform/base/errors';
import type { OperationTypeNode } from 'graphql';
import type { PresentedCredentials } from '../admission/authenticate.ts';
import type { Operation } from '../operations/operations.ts';
import type { Ending } from './close-codes.ts';
import type { OperationRun } from './running-operation.ts';

/** The socket or event stream of a connection. */
export interface ConnectionTransport {
  /** Shows the client that the server is alive. A WebSocket checks the same of its client. */
  sendHeartbeat(): void;
  /** Do more bytes wait for the client than may? */
  isCongested(): boolean;
  /** Ends it, and gives the client the reason where the protocol can. Nothing runs on it any more. */
  end(ending: Ending, error?: AppError): void;
}

/** An operation that runs on a connection. */
export interface Running {
  /** Null until its text is known: the client may have sent a hash of it. */
  operation: Operation | null;
  /** Size of the message that asked for it. */
  readonly bytes: number;
  readonly run: OperationRun;
  /** Undefined until the graph has read it; null where it could not. */
  type: OperationTypeNode | null | undefined;
}

/** One open socket or stream and its caller. */
export interface Connection {
  readonly transport: ConnectionTransport;
  readonly address: string;
  /** See `Context.hasPrivacySignal`. */
  readonly hasPrivacySignal: boolean;
  readonly running: Set<Running>;
  /** Null until the client has signed in. */
  credentials: PresentedCredentials | null;
  caller: Caller;
  /** When the credential ends by itself; null for never. */
  expiresAt: Date | null;
  /** Whose limit it counts for: an actor, or an address while nobody has signed in. */
  owner: string;
  isEnding: boolean;
  /** Moments of the process's monotonic clock, in milliseconds. */
  heartbeatAt: number;
  idleSince: number;
  congestedSince: number | null;
  /** Since when the credential waits to be looked up again; null while it is known to be valid. */
  staleSince: number | null;
  /** A look-up counts only where this has not grown since it began. */
  timesMarkedStale: number;
  /** The look-up that runs; null while none does. */
  checking: Promise<void> | null;
}

export const addressOwner = (address: string): string => `address:${address}`;

/** A connection on which nobody has signed in yet. */
export function newConnection(
  address: string,
  transport: ConnectionTransport,
  hasPrivacySignal: boolean,
): Connection {
  const now = performance.now();
  return {
    transport,
    address,
    hasPrivacySignal,
    running: new Set(),
    credentials: null,
    caller: anonymous,
    expiresAt: null,
    owner: addressOwner(address),
    isEnding: false,
    heartbeatAt: now,
    idleSince: now,
    congestedSince: null,
    staleSince: null,
    timesMarkedStale: 0,
    checking: null,
  };
}

/** Ends a connection and everything that runs on it. `closed` is called when the transport has closed. */
export function endConnection(connection: Connection, ending: Ending, error?: AppError): void {
  if (connection.isEnding) return;
  connection.isEnding = true;
  connection.transport.end(ending, error);
  for (const { run } of [...connection.running]) void run.return();
}

/** Can it end without losing an answer? Clients of subscriptions subscribe again elsewhere. */
export const isBetweenAnswers = ({ running }: Connection): boolean =>
  [...running].every(({ type }) => type === 'subscription');
