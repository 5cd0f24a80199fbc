import { loadConfig } from '@loyalty/platform/config/config';
import { createServices } from '@loyalty/platform/services';
import { startWorker } from '@loyalty/worker/worker';
import { peersWhenAsked } from '../harness/peers.ts';

/** Runs a worker like `loyalty serve worker`, until it is killed. */
const [, , directory] = process.argv as [string, string, string];
const config = loadConfig(process.env, directory);
const services = await createServices({ ...config, DATABASE_URL: config.DATABASE_URL! }, 'worker', {
  peers: peersWhenAsked,
});
await startWorker({ ...services, config: { ...config, DATABASE_URL: config.DATABASE_URL! } });
// The worker also ends when the test is interrupted.
process.stdin.resume().on('end', () => process.exit());
process.stdout.write('started\n');
