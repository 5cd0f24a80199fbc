import type { Sql } from '@loyalty/prisma/client';

/** How far a replica has replayed the primary's log. */
export interface ReplicaLag {
  /**
   * What was committed longer ago than this is on the replica, in milliseconds; infinite until that
   * is known.
   */
  ms(): number;
  /** Compares both servers. @throws what either of them fails with */
  measure(): Promise<void>;
  /** The replica failed: its lag is unknown until it is measured again. */
  forget(): void;
}

/** A position of the primary's log, and a time when it had been written. */
interface Sample {
  readonly position: bigint;
  readonly at: number;
}

/** Of a replica that is away for long, the oldest samples go. */
const SAMPLES_MAX = 1_000;

const bytesFromStart = (lsn: string): string => `(${lsn} - '0/0'::pg_lsn)::bigint`;

/** A server that follows no primary, such as a promoted one, has no position. */
const REPLAYED = `SELECT ${bytesFromStart('pg_last_wal_replay_lsn()')} AS position WHERE pg_is_in_recovery()`;
const FLUSHED = `SELECT ${bytesFromStart('pg_current_wal_flush_lsn()')} AS position`;
const INSERTED = `SELECT ${bytesFromStart('pg_current_wal_insert_lsn()')} AS position`;

async function positionOf(sql: Sql, query: string): Promise<bigint> {
  const [found] = await sql.query<{ position: bigint | null }>(query);
  if (found?.position == null) throw new Error('The server at DATABASE_REPLICA_URL is no replica.');
  return found.position;
}

/** The end of the primary's log: what is committed by now stands before it. */
export const endOfLog = (primary: Sql): Promise<bigint> => positionOf(primary, INSERTED);

/** The position that a replica has replayed. */
export const replayedLog = (replica: Sql): Promise<bigint> => positionOf(replica, REPLAYED);

/**
 * Compares positions that this process read at both servers, by its own clock: an idle primary, a replica
 * that is cut off, and clocks that differ do not mislead it.
 */
export function createReplicaLag(primary: Sql, replica: Sql): ReplicaLag {
  let samples: readonly Sample[] = [];
  /** The replica has what was committed by then. */
  let completeAt = Number.NEGATIVE_INFINITY;
  let replayed = 0n;

  function forget(): void {
    samples = [];
    completeAt = Number.NEGATIVE_INFINITY;
  }

  return {
    ms: () => performance.now() - completeAt,
    forget,
    async measure() {
      const at = performance.now();
      samples = [...samples.slice(1 - SAMPLES_MAX), { position: await positionOf(primary, FLUSHED), at }];
      const before = replayed;
      replayed = await replayedLog(replica);
      // It has crashed, or another one stands in its place.
      if (replayed < before) forget();
      const reached = samples.findLast(({ position }) => position <= replayed);
      if (!reached) return;
      completeAt = reached.at;
      samples = samples.filter((sample) => sample.at >= reached.at);
    },
  };
}
