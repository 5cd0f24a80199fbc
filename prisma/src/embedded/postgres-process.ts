import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from './postgres-error.ts';
import type { PostgresUser } from './postgres-user.ts';

/**
 * Returns a text that identifies a process among all processes with the same pid; it stays the same while the
 * process lives. Null if there is no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | null {
  if (!isPresent(pid)) return null;
  if (existsSync('/proc/self/stat')) return identityFromProc(pid);
  const [state = '', ...started] = ps(pid, 'stat=,lstart=').split(/\s+/);
  return state === '' || state.startsWith('Z') ? null : started.join(' ');
}

/** Returns whether `pid` is a live PostgreSQL main process with this data directory. */
export function isPostmasterOf(pid: number, clusterDir: string): boolean {
  if (processIdentity(pid) === null) return false;
  const [command = '', ...args] = commandLine(pid);
  if (!/^postgres(\.exe)?$/.test(basename(command))) return false;
  return (
    args.some((arg) => arg === clusterDir || arg === `-D${clusterDir}`) || workingDir(pid) === clusterDir
  );
}

/** Waits until the process has ended. @returns false if it is still alive after `timeoutMs` */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const identity = processIdentity(pid);
  const deadline = Date.now() + timeoutMs;
  while (identity !== null && processIdentity(pid) === identity) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/** Sends a signal to a process that may have ended. @returns false if we may not signal it */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}

/**
 * Starts a PostgreSQL program as `user`. It gets its own session, so that Ctrl-C in a terminal reaches only
 * us and the database outlives the requests in flight. Its environment is fixed, so that PGDATA, PGPORT or a
 * foreign locale of the caller have no effect.
 */
export function spawnAs(
  user: PostgresUser | null,
  command: string,
  args: string[],
  cwd: string,
): ChildProcess {
  return spawn(command, args, {
    cwd,
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
}

/** Runs a program to its end. `code` is null if it was killed; output is stdout and stderr together. */
export async function runAs(
  user: PostgresUser | null,
  command: string,
  args: string[],
  options: { cwd: string; signal?: AbortSignal | undefined },
): Promise<{ code: number | null; output: string; error?: Error }> {
  const child = spawnAs(user, command, args, options.cwd);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const interrupt = () => child.pid !== undefined && signalProcess(-child.pid, 'SIGTERM');
  options.signal?.addEventListener('abort', interrupt);
  process.once('exit', interrupt);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, output, error }));
      child.once('close', (code) => resolve({ code, output }));
    });
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
    process.off('exit', interrupt);
  }
}

function isPresent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function identityFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before the last ')' may contain any characters. After it: the state, and 19 fields later the
    // start time in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Returns the program and arguments of a process; empty if they cannot be read. */
export function commandLine(pid: number): string[] {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'args=').split(/\s+/);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function workingDir(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', `${pid}`], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
