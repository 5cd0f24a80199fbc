import { freePort, type Process, startProcess } from '../../processes/processes.ts';

const subgraphNames = ['workspace', 'loyalty', 'commerce', 'engagement', 'model'];

/** The product as separate processes over one database. */
export interface Deployment {
  /** Address of the gateway. */
  readonly url: string;
  /** Processes by their role. */
  readonly processes: ReadonlyMap<string, Process>;
  close(): Promise<void>;
}

/** The options with which deploy/compose.yaml runs workers. */
export const workerOptions = { NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=256' };

/** Settings of every process that uses this database, the same as scripts/run.mjs gives. */
export const deploymentEnvironment = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  LOYALTY_MASTER_KEYS: `bench:${Buffer.from('thirty-two bytes for the benches').toString('base64')}`,
  LOYALTY_DEMO: '0',
  NODE_OPTIONS: '--max-semi-space-size=16',
});

/** Starts five subgraphs, a gateway and the given number of workers. */
export async function startDeployment(env: Record<string, string>, workers: number): Promise<Deployment> {
  const ports = await Promise.all(['gateway', ...subgraphNames].map(() => freePort()));
  const [gatewayPort, ...subgraphPorts] = ports;
  const addresses = Object.fromEntries(
    subgraphNames.map((name, index) => [
      `${name.toUpperCase()}_URL`,
      `http://127.0.0.1:${subgraphPorts[index]}`,
    ]),
  );
  const everyone = { ...env, ...addresses };
  const starting: (readonly [string, Promise<Process>])[] = [
    ...subgraphNames.map(
      (name, index) =>
        [name, startProcess(['serve', 'subgraph', name], everyone, subgraphPorts[index])] as const,
    ),
    ['gateway', startProcess(['serve', 'gateway'], everyone, gatewayPort)],
    ...Array.from(
      { length: workers },
      (_, index) =>
        [
          `worker ${index + 1}`,
          startProcess(['serve', 'worker'], { ...everyone, ...workerOptions }),
        ] as const,
    ),
  ];
  const outcomes = await Promise.allSettled(starting.map(([, process]) => process));
  const processes = new Map<string, Process>();
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') processes.set(starting[index]![0], outcome.value);
  }
  // Also ends the processes when the bench stops early.
  const endAll = () => {
    for (const each of processes.values()) void each.end();
  };
  process.once('exit', endAll);
  const close = async () => {
    process.off('exit', endAll);
    await Promise.all([...processes.values()].map((process) => process.end()));
  };
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) {
    await close();
    throw (failed as PromiseRejectedResult).reason;
  }
  return { url: processes.get('gateway')!.url, processes, close };
}
