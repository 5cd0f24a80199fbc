// Runs commands in the checkout and passes signals on to them. It runs before any package is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const modules = join(root, 'node_modules');

// Prevents that npm packages send data or download anything besides npm packages.
const quiet = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  // `prisma generate` needs no schema engine; an existing file as its path prevents a download.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
};
const folders = (process.env.PATH ?? '').split(delimiter);
const pathOf = (list) => list.join(delimiter);

/** The environment in which the installed programs come first. */
const env = { ...process.env, ...quiet, PATH: pathOf([join(modules, '.bin'), ...folders]) };

/** The environment of npm. Our own `node` is not in its path, because it is being replaced. */
export const npmEnv = {
  ...process.env,
  ...quiet,
  PATH: pathOf(folders.filter((folder) => !folder.startsWith(modules))),
};

/** The exit code of a command that does not exist. */
export const NOT_FOUND = 127;

const children = new Set();
let stopSignal = null;

/** Ends the process if a signal has asked for it. */
export function stopIfAsked() {
  if (stopSignal) process.exit(128 + constants.signals[stopSignal]);
}

/**
 * Runs a command in the checkout.
 *
 * @param options.isHidden - return the output instead of showing it
 * @param options.env - default: the environment in which the installed programs come first
 * @returns the exit code (128 plus the signal's number if a signal ended the command) and the hidden output
 */
export function run([command, ...rest], options = {}) {
  stopIfAsked();
  const child = spawn(command, rest, {
    cwd: root,
    env: options.env ?? env,
    stdio: options.isHidden ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    shell: process.platform === 'win32',
  });
  children.add(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      children.delete(child);
      if (!options.isHidden) console.error(error.message);
      resolve({ code: NOT_FOUND, output: `${error.message}\n` });
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code: code ?? 128 + constants.signals[signal], output: Buffer.concat(output).toString() });
    });
  });
}

/** Passes a signal on once: a Ctrl-C in a terminal reaches the command directly, and npm repeats signals. */
function passOn(signal) {
  const isFromTerminal = signal === 'SIGINT' && process.stdin.isTTY;
  if (stopSignal !== signal && !isFromTerminal) for (const child of children) child.kill(signal);
  stopSignal = signal;
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => passOn(signal));

// A killed npm passes no signal on, so its child would continue and keep the port.
const parent = process.ppid;
const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
if (isRunByNpm) setInterval(() => process.ppid === parent || passOn('SIGTERM'), 500).unref();
