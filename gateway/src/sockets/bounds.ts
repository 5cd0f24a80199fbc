import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { limits } from '../admission/limits.ts';

const MEBIBYTE = 1_024 * 1_024;

/** Limits of sockets and event streams, so that no client exhausts the process. */
export const bounds = {
  /** Maximum time from the handshake to `connection_init`. */
  initMs: 3 * SECOND_MS,
  /** Interval of heartbeats; a client that did not answer the last one is disconnected. */
  pingMs: 15 * SECOND_MS,
  /** Time after which a socket without any operation is closed. */
  idleMs: 10 * MINUTE_MS,
  /** Maximum bytes of a message from a client; the same as for a body over HTTP. */
  messageBytes: limits.bodyBytes,
  operationsPerSocket: 100,
  /**
   * Maximum bytes of the messages of running operations, because their variables stay in memory until the
   * end.
   */
  operationBytesPerSocket: MEBIBYTE,
  /** Maximum of sockets and streams per credential, or per address without a credential. */
  connectionsPerOwner: 200,
  /**
   * Maximum of bytes that wait in a socket for its client. Above it, no further message is read from the
   * client.
   */
  bufferedBytes: MEBIBYTE,
  /** Time after which a client with that many waiting bytes is too slow. */
  slowMs: 10 * SECOND_MS,
  /** Time for which connections stay open while their stale credential cannot be looked up. */
  staleMs: MINUTE_MS,
  /** Maximum of credentials that one sweep looks up again after an interruption of live events. */
  rechecksPerSweep: 500,
  /** Interval for checking connections. */
  sweepMs: SECOND_MS,
  /** Maximum duration of running queries and mutations during a shutdown. */
  drainMs: 8 * SECOND_MS,
  /** Maximum time for a client to confirm the close; afterwards the connection is cut. */
  closingMs: 3 * SECOND_MS,
} as const;

export type Bounds = { readonly [Name in keyof typeof bounds]: number };
