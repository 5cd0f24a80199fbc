import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../harness/eventually.ts';
import { deployDir } from './compose-file.ts';

/** A running haproxy with the configuration file that compose.yaml mounts. */
export interface RunningProxy {
  readonly url: string;
  /** The number of servers of each backend that pass their health checks. */
  up(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

/** @param variables - the values of LISTEN and DNS in the configuration */
export async function startProxy(
  variables: Readonly<Record<'LISTEN' | 'DNS', string>>,
): Promise<RunningProxy> {
  const child = spawn('haproxy', ['-db', '-f', `${deployDir}haproxy.cfg`], {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const statistics = `http://${variables.LISTEN}:8404/stats;csv`;
  const up = async () => {
    const response = await fetch(statistics);
    return serversUp(await response.text());
  };
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${output}`);
    await up();
  });
  return {
    url: `http://${variables.LISTEN}:8080`,
    up,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Counts the rows whose status is UP; the first line names the columns. */
function serversUp(csv: string): ReadonlyMap<string, number> {
  const [columns = [], ...rows] = csv.split('\n').map((line) => line.split(','));
  const status = columns.indexOf('status');
  const counts = new Map<string, number>();
  for (const row of rows) {
    const [backend = '', server = ''] = row;
    if (server === 'BACKEND' || row[status] !== 'UP') continue;
    counts.set(backend, (counts.get(backend) ?? 0) + 1);
  }
  return counts;
}
