import type { Sql } from '@loyalty/prisma/client';

/** The lag of a replica behind the primary's log. */
export interface ReplicaLag {
  /**
   * Returns the lag in milliseconds: transactions that were committed earlier are on the replica. Infinity
   * while the lag is unknown.
   */
  ms(): number;
  /** Compares both servers. @throws the error of either server */
  measure(): Promise<void>;
  /** Marks the lag as unknown until the next measurement, after a failure of the replica. */
  forget(): void;
}

/** A position of the primary's log, and a time at which it was already written. */
interface Sample {
  readonly position: bigint;
  readonly at: number;
}

/** Maximum of samples. While a replica is away for long, the oldest samples are dropped. */
const SAMPLES_MAX = 1_000;

const bytesFromStart = (lsn: string): string => `(${lsn} - '0/0'::pg_lsn)::bigint`;

/** Returns no position from a server that follows no primary, such as a promoted one. */
const REPLAYED = `SELECT ${bytesFromStart('pg_last_wal_replay_lsn()')} AS position WHERE pg_is_in_recovery()`;
const FLUSHED = `SELECT ${bytesFromStart('pg_current_wal_flush_lsn()')} AS position`;
const INSERTED = `SELECT ${bytesFromStart('pg_current_wal_insert_lsn()')} AS position`;

async function positionOf(sql: Sql, query: string): Promise<bigint> {
  const [found] = await sql.query<{ position: bigint | null }>(query);
  if (found?.position == null) throw new Error('The server at DATABASE_REPLICA_URL is no replica.');
  return found.position;
}

/** Returns the end of the primary's log; everything committed so far is before it. */
export const endOfLog = (primary: Sql): Promise<bigint> => positionOf(primary, INSERTED);

/** Returns the position up to which a replica has replayed the log. */
export const replayedLog = (replica: Sql): Promise<bigint> => positionOf(replica, REPLAYED);

/**
 * Compares positions that this process read from both servers, by the process's own clock. So an idle
 * primary, a disconnected replica, and different clocks do not distort the result.
 */
export function createReplicaLag(primary: Sql, replica: Sql): ReplicaLag {
  let samples: readonly Sample[] = [];
  /** Time up to which the replica has all commits. */
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
      // The replica has crashed, or another server has replaced it.
      if (replayed < before) forget();
      const reached = samples.findLast(({ position }) => position <= replayed);
      if (!reached) return;
      completeAt = reached.at;
      samples = samples.filter((sample) => sample.at >= reached.at);
    },
  };
}
