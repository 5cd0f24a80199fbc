// The door of `npm start` and `npm test`: any Node from 20 can run it on a clean checkout. It installs what is
// missing, generates what changed and hands over to the Node that the project brings.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const [task, ...args] = process.argv.slice(2);

const env = {
  ...process.env,
  PATH: `${bin}:${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  // `prisma generate` needs no schema engine; naming an existing file keeps it from downloading one.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
};

const tasks = {
  start: { generate: ['@loyalty/prisma', '@loyalty/rest-adapter'], command: ['node', 'cli/src/main.ts', 'start'] },
  loyalty: { generate: ['@loyalty/prisma', '@loyalty/rest-adapter'], command: ['node', 'cli/src/main.ts'] },
  generate: { generate: [] },
  check: { generate: [], command: ['node', 'scripts/check.mjs'] },
  test: { generate: [], before: ['node', 'scripts/check.mjs'], command: jest() },
  jest: { generate: [], command: jest() },
  'migrate:new': { generate: [], command: ['node', 'prisma/src/migrate-new.ts'] },
  'bench:rest': { generate: ['@loyalty/prisma', '@loyalty/rest-adapter'], command: ['node', 'test/src/bench/rest.bench.ts'] },
};

function jest() {
  const quiet = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return ['node', ...quiet, 'node_modules/jest/bin/jest.js'];
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Installs when the lockfile is not the one that was last installed. */
function install() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
  const stamp = join(root, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  console.log('Installing packages (once, some minutes on a slow line) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('npm ci failed: see its message above, then run the command again.');
  writeFileSync(stamp, hash);
}

function generate(filters) {
  const only = filters.map((name) => `--filter=${name}`);
  const turbo = spawnSync(join(bin, 'turbo'), ['run', 'generate', '--output-logs=errors-only', '--log-prefix=none', ...only], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (turbo.status !== 0) fail(`Generating code failed:\n${turbo.stdout}${turbo.stderr}`);
}

function run([command, ...rest]) {
  const child = spawn(join(bin, command), rest, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0))));
}

const chosen = tasks[task];
if (!chosen) fail(`There is no task ${task}: choose one of ${Object.keys(tasks).join(', ')}.`);
install();
generate(chosen.generate);
if (chosen.before) {
  const code = await run(chosen.before);
  if (code !== 0) process.exit(code);
}
process.exit(chosen.command ? await run([...chosen.command, ...args]) : 0);
