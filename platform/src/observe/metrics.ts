import type { Database } from '@loyalty/prisma/client';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The API or channel of a request. */
export type Channel = 'rest' | 'graphql' | 'mcp' | 'subscription' | 'scorer';

/** The metrics of a process; every label has a limited number of values. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds of whole requests. Use `observeRequest`, which limits the values of labels. */
  readonly requestSeconds: Histogram<'channel' | 'operation' | 'status'>;
  /** Seconds of the gateway's calls, by subgraph. */
  readonly subgraphSeconds: Histogram<'subgraph' | 'outcome'>;
  /** State of the gateway's circuit breaker for a subgraph: 0 closed, 1 half open, 2 open. */
  readonly subgraphCircuit: Gauge<'subgraph'>;
  /** Seconds of calls to the model at MODEL_URL_SCORE. */
  readonly scorerSeconds: Histogram<'outcome'>;
  /** State of the circuit breaker for the scorer: 0 closed, 1 half open, 2 open. */
  readonly scorerCircuit: Gauge;
  /** Seconds of jobs, by name. */
  readonly jobSeconds: Histogram<'job'>;
  readonly jobsTotal: Counter<'job' | 'outcome'>;
  /** Age in seconds of the oldest event that was not passed on yet. */
  readonly outboxLagSeconds: Gauge;
  /** Seconds of requests to addresses that users configured, by purpose. */
  readonly outboundSeconds: Histogram<'purpose' | 'outcome'>;
  /**
   * Statements of lists and reports, by the server that answered them; only counted if there is a replica.
   */
  readonly listReadsTotal: Counter<'source'>;
  /** Lag of the replica: transactions that were committed earlier are on it. */
  readonly replicaLagSeconds: Gauge;
  readonly rateLimitedTotal: Counter<'limit'>;
  readonly openSubscriptions: Gauge;
  /**
   * Adds gauges for the use of a database's pools, as `<name>` and `<name>-outside-transaction`. Returns a
   * function that removes them.
   */
  watchPools(name: string, database: Pick<Database, 'pools'>): () => void;
  /** Adds operation names that may be used as labels. All others are counted as `other`. */
  knowOperations(names: Iterable<string>): void;
  observeRequest(request: {
    channel: Channel;
    operation: string | null | undefined;
    status: number;
    seconds: number;
  }): void;
}

// From half a millisecond (in process) to the seconds of a slow import.
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/**
 * Gauges of Node.js with names like counters. The sum of `nodejs_active_resources`, `nodejs_active_handles`
 * or `nodejs_active_requests` has the same value.
 */
const NOT_COUNTERS = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/**
 * Creates the metrics of a process in a new registry, including memory, event loop and garbage collection.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of NOT_COUNTERS) registry.removeSingleMetric(name);
  const { histogram, counter, gauge } = instruments(registry);
  const knownOperations = new Set<string>();
  const requestSeconds = histogram(
    'loyalty_request_seconds',
    'Seconds of whole requests',
    ['channel', 'operation', 'status'],
    REQUEST_BUCKETS,
  );

  return {
    registry,
    requestSeconds,
    ...metricsOfCalls(histogram, gauge),
    outboundSeconds: histogram(
      'loyalty_outbound_seconds',
      'Seconds of requests to addresses chosen by users',
      ['purpose', 'outcome'],
      REQUEST_BUCKETS,
    ),
    jobSeconds: histogram('loyalty_job_seconds', 'Seconds of jobs', ['job'], JOB_BUCKETS),
    jobsTotal: counter('loyalty_jobs_total', 'Jobs by outcome', ['job', 'outcome']),
    rateLimitedTotal: counter('loyalty_rate_limited_total', 'Requests refused by a limit', ['limit']),
    outboxLagSeconds: gauge('loyalty_outbox_lag_seconds', 'Age of the oldest event waiting to be passed on'),
    ...replicaMetrics(counter, gauge),
    openSubscriptions: gauge('loyalty_open_subscriptions', 'Subscriptions that clients hold open'),
    watchPools: watchPools(gauge),
    knowOperations(names) {
      for (const name of names) knownOperations.add(name);
    },
    observeRequest({ channel, operation, status, seconds }) {
      const label = operation && knownOperations.has(operation) ? operation : 'other';
      requestSeconds.observe({ channel, operation: label, status: statusLabel(status) }, seconds);
    },
  };
}

/** Metrics of calls between the product's own processes. */
const metricsOfCalls = (histogram: Instruments['histogram'], gauge: Instruments['gauge']) => ({
  subgraphSeconds: histogram(
    'loyalty_subgraph_seconds',
    'Seconds of calls of subgraphs by the gateway',
    ['subgraph', 'outcome'],
    REQUEST_BUCKETS,
  ),
  subgraphCircuit: gauge(
    'loyalty_subgraph_circuit',
    'Circuit of the gateway to a subgraph: 0 closed, 1 half open, 2 open',
    ['subgraph'],
  ),
  scorerSeconds: histogram(
    'loyalty_scorer_seconds',
    'Seconds of calls of the model at MODEL_URL_SCORE',
    ['outcome'],
    REQUEST_BUCKETS,
  ),
  scorerCircuit: gauge(
    'loyalty_scorer_circuit',
    'Circuit to the model at MODEL_URL_SCORE: 0 closed, 1 half open, 2 open',
  ),
});

/** Returns functions that create instruments in one registry. */
function instruments(registry: Registry) {
  const registers = [registry];
  return {
    histogram: <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    counter: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labelNames: Label[] = [],
      collect?: (this: Gauge<Label>) => void,
    ) => new Gauge({ name, help, labelNames, registers, ...(collect && { collect }) }),
  };
}

type Instruments = ReturnType<typeof instruments>;

const replicaMetrics = (counter: Instruments['counter'], gauge: Instruments['gauge']) => ({
  listReadsTotal: counter(
    'loyalty_list_reads_total',
    'Statements of lists by server: the replica, or the primary and why',
    ['source'],
  ),
  replicaLagSeconds: gauge('loyalty_replica_lag_seconds', 'How far the replica is behind; +Inf: away'),
});

/** The pools are read whenever metrics are collected. */
function watchPools(gauge: Instruments['gauge']): Metrics['watchPools'] {
  const databases = new Map<string, Pick<Database, 'pools'>>();
  gauge(
    'loyalty_database_connections',
    'Connections by pool: in_use, idle and max; waiting: who waits for one',
    ['pool', 'state'],
    function collect() {
      this.reset();
      for (const [name, database] of databases) {
        const { shared, outsideTransaction } = database.pools();
        for (const [pool, { inUse, idle, max, waiting }] of Object.entries({
          [name]: shared,
          [`${name}-outside-transaction`]: outsideTransaction,
        })) {
          const states = { in_use: inUse, idle, max, waiting };
          for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
        }
      }
    },
  );
  return (name, database) => {
    databases.set(name, database);
    return () => void databases.delete(name);
  };
}

/** Returns the answer of `GET /metrics`: the Prometheus text format. */
export async function renderMetrics({ registry }: Metrics): Promise<{ contentType: string; body: string }> {
  return { contentType: registry.contentType, body: await registry.metrics() };
}

const statusLabel = (status: number) => (status >= 100 && status <= 599 ? `${Math.trunc(status)}` : 'other');
