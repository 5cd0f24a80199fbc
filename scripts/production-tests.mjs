// Runs the tests of a production installation, `*.production.test.ts`, in a folder outside of the checkout,
// so that no file of the checkout is found. The arguments are the command that runs Jest, and further
// arguments for Jest.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [command, ...args] = process.argv.slice(2);
const tree = mkdtempSync(join(tmpdir(), 'loyalty-production-'));
process.on('exit', () => rmSync(tree, { recursive: true, force: true }));

const { status } = spawnSync('node', ['scripts/production.mjs', tree], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const select = [
  '--testMatch=**/*.production.test.ts',
  '--testPathIgnorePatterns=/node_modules/',
  '--maxWorkers=1',
];
const env = { ...process.env, PRODUCTION_TREE: tree };
const tests = spawn(command, [...args, ...select], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
tests.on('close', (code) => process.exit(code ?? 1));
