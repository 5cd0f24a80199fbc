import { spawn } from 'node:child_process';

/** Runs the tests of one kind, `*.<kind>.test.ts`, and exits with their exit code. */
export function runTests(kind, command, env, stop) {
  const select = [
    `--testMatch=**/*.${kind}.test.ts`,
    '--testPathIgnorePatterns=/node_modules/',
    // Each browser test has its own product, and waits for pages half of the time.
    `--maxWorkers=${kind === 'browser' ? 2 : 1}`,
  ];
  runJest([...command, ...select], env, stop);
}

/** Runs Jest and exits with its exit code. @param [program, ...args] - command that runs it */
export function runJest([program, ...args], env, stop = () => {}) {
  const tests = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
  tests.on('close', (code) => {
    stop();
    process.exit(code ?? 1);
  });
}
