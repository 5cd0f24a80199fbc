// Runs all checks that do not run the product, and shows all faults together.
import { spawnSync } from 'node:child_process';

const steps = [
  ['architecture', ['node', 'test/src/architecture/check.ts']],
  ['supergraph is fresh', ['node', 'gateway/src/supergraph/compose.ts', '--check']],
  ['migrations are fresh', ['node', 'prisma/src/migrate/migrate-new.ts', '--check']],
  ['docs are fresh', ['node', 'test/src/docs/write-pages.ts', '--check']],
  ['graph for clients', ['node', 'test/src/graph-lint/lint-graph.ts']],
  ['formatting and lint', ['biome', 'check', '--error-on-warnings', '--max-diagnostics=100']],
  ['types', ['tsc', '--project', 'tsconfig.json']],
  ['types of the back office', ['tsc', '--project', 'back-office/tsconfig.json']],
];

let failed = 0;
for (const [name, [command, ...args]] of steps) {
  const started = performance.now();
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (signal) process.kill(process.pid, signal);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status === 0) continue;
  failed += 1;
  console.error(error?.message ?? `${stdout}${stderr}`);
}
if (failed > 0)
  console.error(
    `${failed} of ${steps.length} checks failed; \`npm run check\` repeats them without the tests.`,
  );
process.exit(failed > 0 ? 1 : 0);
