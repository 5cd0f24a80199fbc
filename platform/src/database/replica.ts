import type { Database, Sql } from '@loyalty/prisma/client';
import { databaseFault } from '@loyalty/prisma/database-error';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../base/caller.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { LastWrites } from './last-writes.ts';
import { createReplicaLag, endOfLog, type ReplicaLag, replayedLog } from './replica-lag.ts';

/** A streaming replica of the database, for lists and reports. */
export interface Replica {
  /**
   * Returns SQL for the lists of one request. It reads the replica. It reads `primary` if the replica fails,
   * is too far behind, or has not replayed the caller's last write.
   */
  sqlFor(caller: Caller, primary: Sql, signal: AbortSignal | undefined): Sql;
  /** Called after a mutation, before it is answered, so that later lists of its caller show the write. */
  noteWrite(caller: Caller): Promise<void>;
  close(): Promise<void>;
}

interface ReplicaOptions {
  readonly primary: Sql;
  readonly replica: Database;
  /** Must remember a write for longer than `lagMsMax`. */
  readonly lastWrites: LastWrites;
  /** Maximum lag in milliseconds; a replica that is further behind is not read. */
  readonly lagMsMax: number;
  readonly metrics: Pick<Metrics, 'listReadsTotal' | 'replicaLagSeconds'>;
  readonly log: Log;
}

/** The server that answered a statement of a list, with the reason if it was the primary. */
type Source = 'replica' | 'primary_lag' | 'primary_own_write' | 'primary_writes_unknown' | 'primary_failure';

/**
 * Follows a replica from the first list on. Each last write of a caller has an id that all processes see. The
 * position that the replica must reach is read from the primary at the caller's next list. This is after the
 * write, so the position is sufficient.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const { primary, replica, lastWrites, lagMsMax, metrics, log } = options;
  const lag = createReplicaLag(primary, replica.sql);
  const measuring = measured(lag, options);
  /**
   * Positions by the id of the write. A process without the position of a write reads a later one, which is
   * also correct.
   */
  const positions = new LRUCache<string, bigint>({ max: 10_000 });

  async function hasReplayed(write: string): Promise<boolean> {
    const position = positions.get(write) ?? (await endOfLog(primary));
    positions.set(write, position);
    return (await replayedLog(replica.sql)) >= position;
  }

  async function sourceFor({ actor }: Caller): Promise<Source> {
    if (lag.ms() > lagMsMax) return 'primary_lag';
    const write = await lastWrites.find(actor).catch(() => undefined);
    if (write === undefined) return 'primary_writes_unknown';
    if (write === null || (await hasReplayed(write))) return 'replica';
    return 'primary_own_write';
  }

  return {
    sqlFor(caller, primarySql, signal) {
      measuring.start();
      const sqlOf = { primary: primarySql, replica: signal ? replica.cancellable(signal).sql : replica.sql };
      return listSql(sqlOf, {
        choose: () => sourceFor(caller),
        onFailure: (error) => databaseFault(error) && lag.forget(),
        onRead: (source) => metrics.listReadsTotal.inc({ source }),
      });
    },
    async noteWrite({ kind, actor }) {
      if (kind === 'SYSTEM' || kind === 'ANONYMOUS') return;
      try {
        await lastWrites.note(actor);
      } catch (err) {
        // A process that cannot read last writes uses the primary.
        log.warn({ err }, 'a write could not be noted for the lists of its caller');
      }
    },
    async close() {
      measuring.stop();
      lastWrites.close();
      await replica.close();
    },
  };
}

interface Choosing {
  /** Called once, by the first statement. */
  choose(): Promise<Source>;
  onFailure(error: unknown): void;
  onRead(source: Source): void;
}

/** Uses the primary after a statement failed at the replica, or if choosing a server failed. */
function listSql(sqlOf: Record<'primary' | 'replica', Sql>, { choose, onFailure, onRead }: Choosing): Sql {
  const failed = (error: unknown): Source => {
    onFailure(error);
    return 'primary_failure';
  };
  let chosen: Promise<Source> | undefined;
  return {
    async query(text, params) {
      chosen ??= choose().catch(failed);
      if ((await chosen) === 'replica') {
        try {
          const rows = await sqlOf.replica.query<never>(text, params);
          onRead('replica');
          return rows;
        } catch (error) {
          // The client is gone, or the statement would take too long on the primary, too.
          if (failedWith(error, 'QUERY_CANCELED')) throw error;
          chosen = Promise.resolve(failed(error));
        }
      }
      onRead(await chosen);
      return sqlOf.primary.query(text, params);
    },
  };
}

const MEASURE_EVERY_MS = 500;

/** Measures the lag twice a second after `start`; logs the first of several failures. */
function measured(lag: ReplicaLag, { metrics, log }: Pick<ReplicaOptions, 'metrics' | 'log'>) {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isFailing = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await lag.measure();
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'the replica cannot be followed; lists read the primary');
      isFailing = true;
      lag.forget();
    }
    metrics.replicaLagSeconds.set(lag.ms() / 1_000);
    isRunning = false;
  };
  return {
    start() {
      if (timer) return;
      timer = setInterval(() => void run(), MEASURE_EVERY_MS).unref();
      void run();
    },
    stop: () => clearInterval(timer),
  };
}
