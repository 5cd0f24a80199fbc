// Everything that can be checked without running the product, in the order in which it is cheapest to fail.
import { spawnSync } from 'node:child_process';

const steps = [
  ['formatting and lint', 'biome', ['check', '--error-on-warnings']],
  ['types', 'turbo', ['run', 'types', '--output-logs=errors-only', '--log-prefix=none']],
  ['supergraph is fresh', 'node', ['gateway/src/compose.ts', '--check']],
  ['migrations are fresh', 'node', ['prisma/src/migrate-new.ts', '--check']],
  ['architecture', 'node', ['test/src/architecture/check.ts']],
];

for (const [name, command, args] of steps) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    process.exit(1);
  }
}
