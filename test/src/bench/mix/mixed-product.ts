import { startProcess } from '../../processes/processes.ts';
import { type Deployment, deploymentEnvironment, startDeployment } from '../bulk/deployment.ts';
import { cpuSecondsOf, memoryOf } from '../bulk/process-figures.ts';

/**
 * Starts the product over a database: as one process, or five subgraphs, a gateway and a worker.
 *
 * @param receiver - host and port to which it may send webhooks
 */
export async function startMixedProduct(
  databaseUrl: string,
  isSeven: boolean,
  receiver: string,
): Promise<Deployment> {
  const env = { ...deploymentEnvironment(databaseUrl), OUTBOUND_ALLOW: receiver };
  if (isSeven) return startDeployment(env, 1);
  const whole = await startProcess(['start'], env);
  return {
    url: whole.url,
    processes: new Map([['product', whole]]),
    close: async () => void (await whole.end()),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const cpuSeconds = ({ processes }: Deployment): number =>
  sum([...processes.values()].map(({ pid }) => cpuSecondsOf(pid)));

/** The memory of all processes now, in MiB. */
export const memory = ({ processes }: Deployment): number =>
  sum([...processes.values()].map(({ pid }) => memoryOf(pid).now));

/** The number of requests that wait for a database connection now. */
export async function waiting({ processes }: Deployment): Promise<number> {
  const texts = await Promise.all(
    [...processes.values()].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  return sum(
    texts.flatMap((text) =>
      [...text.matchAll(/^loyalty_database_connections\{[^}]*state="waiting"\} (\d+)$/gm)].map(([, count]) =>
        Number(count),
      ),
    ),
  );
}
