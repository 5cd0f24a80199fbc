// Runs the tests of one kind, `*.<kind>.test.ts`, and exits with their exit code.
import { spawn } from 'node:child_process';

/** @param [program, ...args] - command that runs Jest */
export function runTests(kind, [program, ...args], env, stop = () => {}) {
  const select = [
    `--testMatch=**/*.${kind}.test.ts`,
    '--testPathIgnorePatterns=/node_modules/',
    // Each browser test has its own product, and waits for pages half of the time.
    `--maxWorkers=${kind === 'browser' ? 2 : 1}`,
  ];
  const tests = spawn(program, [...args, ...select], { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
  tests.on('close', (code) => {
    stop();
    process.exit(code ?? 1);
  });
}
