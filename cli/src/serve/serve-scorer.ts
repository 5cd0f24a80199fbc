import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { createLog } from '@loyalty/platform/observe/log';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { readStatelessConfig } from '../environment.ts';
import { listen } from './listen.ts';
import { scorerServer } from './scorer-server.ts';

/** Serves the standard model in a process of its own. It needs the master keys, but no database. */
export async function serveScorer(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const config = readStatelessConfig(env);
  const telemetry = await startTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: 'loyalty-scorer',
  });
  const log = createLog({ level: config.LOG_LEVEL, name: 'scorer' });
  const app = scorerServer({ secrets: callerSecrets(config), log, config });
  const PORT = env['PORT'] ? config.PORT : 4_007;
  const delayMs = config.SHUTDOWN_DELAY_MS;
  const stop = [() => app.withdraw(delayMs), () => app.close(), () => telemetry.stop()];
  stopOnSignal(log, stop, delayMs);
  say(`scorer ready on ${await listen(app, { HOST: config.HOST, PORT })}`);
}
