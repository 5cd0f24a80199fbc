import { startWatchdog } from './watchdog.ts';

/** `watchdog.fixture.ts <seconds> <ms>…`: a process that holds its event loop so long, again and again. */
const [seconds, ...blocks] = process.argv.slice(2).map(Number);
process.on('SIGTERM', () => process.exit(0));
startWatchdog(seconds!);
for (const ms of blocks) {
  // Long enough for what is due.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  process.stdout.write('holds\n');
  const end = performance.now() + ms;
  while (performance.now() < end);
}
