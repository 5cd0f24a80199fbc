/** The part of the product that a process runs: everything, the worker, or one of the other six services. */
export type ProcessPart = 'everything' | 'worker' | 'service';

export interface PoolSizes {
  /** Connections for requests. */
  readonly requests: number;
  /** Connections for background jobs. */
  readonly jobs: number;
}

/** Processes that share a database: five subgraphs, gateway and worker. */
const PROCESSES = 7;
/**
 * Share of the server's connections that the product uses. The rest is for operators, for migrations, and for
 * a second process of a kind while the first is replaced.
 */
const SHARE = 0.9;
const PER_CORE = { requests: 12, jobs: 4 } as const;
const AT_MOST = { requests: 64, jobs: 16 } as const;
const AT_LEAST = 2;

/**
 * Connections outside the pools: two outside transactions for each pool, one for live events, five for the
 * queue.
 */
const BESIDES: Record<ProcessPart, number> = { everything: 10, worker: 8, service: 3 };

/**
 * Returns the sizes of the connection pools of a process: enough to keep the cores busy while statements wait
 * for locks and disks, and no more than the process's share of the server's connections.
 *
 * @param machine.connections - maximum of the server for all processes together
 */
export function poolSizes(part: ProcessPart, machine: { cores: number; connections: number }): PoolSizes {
  const processes = part === 'everything' ? 1 : PROCESSES;
  const share = Math.floor((machine.connections * SHARE) / processes) - BESIDES[part];
  const wanted = (pool: keyof PoolSizes) => Math.min(PER_CORE[pool] * machine.cores, AT_MOST[pool]);
  const within = (wanted: number, limit: number) => Math.max(AT_LEAST, Math.min(wanted, limit));
  if (part === 'service') return { requests: within(wanted('requests'), share), jobs: AT_LEAST };
  // The only request to a worker is the readiness check.
  if (part === 'worker') return { requests: AT_LEAST, jobs: within(wanted('jobs'), share - AT_LEAST) };
  const jobs = within(wanted('jobs'), Math.floor(share / 4));
  return { requests: within(wanted('requests'), share - jobs), jobs };
}
