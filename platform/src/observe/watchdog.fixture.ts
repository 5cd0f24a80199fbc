import { startWatchdog } from './watchdog.ts';

/**
 * `watchdog.fixture.ts <seconds> <ms>…`: a process that blocks its event loop for each of the given times.
 */
const [seconds, ...blocks] = process.argv.slice(2).map(Number);
process.on('SIGTERM', () => process.exit(0));
startWatchdog(seconds!);
for (const ms of blocks) {
  // Long enough for due timers.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  process.stdout.write('holds\n');
  const end = performance.now() + ms;
  while (performance.now() < end);
}
