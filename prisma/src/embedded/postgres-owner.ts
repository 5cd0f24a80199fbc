import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createExclusively, explainingFileErrors } from './postgres-data-dir.ts';
import { EmbeddedPostgresError } from './postgres-error.ts';
import type { DataDir } from './postgres-paths.ts';
import {
  commandLine,
  isPostmasterOf,
  processIdentity,
  signalProcess,
  waitForEnd,
} from './postgres-process.ts';

/** A setting on the command line of every server that we start; a server without it was started by hand. */
export const serverMark = 'cluster_name=loyalty-embedded';

/**
 * Claims the data directory for this process, so that a later start can distinguish a server in use from one
 * whose process was killed. PostgreSQL's own postmaster.pid remains the lock that protects the data.
 *
 * @returns a function that releases the claim
 * @throws EmbeddedPostgresError if a live process has claimed it
 */
export function claimDataDir(dir: DataDir): () => void {
  const claim = `${process.pid} ${processIdentity(process.pid)}`;
  return explainingFileErrors(dir.root, () => {
    while (!createExclusively(dir.owner, claim)) {
      const found = readClaim(dir);
      if (found.isLive) throw busy(dir, found.pid);
      dropDeadClaim(dir, found.text);
    }
    return () => {
      if (readClaim(dir).text === claim) rmSync(dir.owner, { force: true });
    };
  });
}

/** Returns whether the process that claimed the data directory is alive. */
export function isClaimed(dir: DataDir): boolean {
  return readClaim(dir).isLive;
}

/**
 * Ends the server that a killed process left on this data directory. This is safe, because the directory is
 * claimed by this process. Also replaces a postmaster.pid whose pid now belongs to another program.
 *
 * @throws EmbeddedPostgresError if the server was started by hand, or does not end
 */
export async function endOrphan(dir: DataDir, log: (line: string) => void): Promise<void> {
  const pid = postmasterPid(dir);
  if (pid === null || processIdentity(pid) === null) return;
  if (!isPostmasterOf(pid, dir.cluster)) return disownPidFile(dir);
  if (!commandLine(pid).includes(serverMark)) throw busy(dir, pid);
  log(`stopping PostgreSQL ${pid}, left behind by a process that was killed`);
  for (const [signal, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (!signalProcess(pid, signal)) break;
    if (await waitForEnd(pid, timeoutMs)) return;
  }
  throw busy(dir, pid);
}

/** Returns the pid in PostgreSQL's lock file; null without the file. */
export function postmasterPid(dir: DataDir): number | null {
  return readPidFile(dir)?.pid ?? null;
}

/** Returns whether the server with this pid accepts connections. */
export function isReady(dir: DataDir, pid: number): boolean {
  const found = readPidFile(dir);
  return found?.pid === pid && found.status === 'ready';
}

function readPidFile(dir: DataDir): { pid: number; status: string } | null {
  try {
    const lines = readFileSync(join(dir.cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Math.abs(Number.parseInt(lines[0] ?? '', 10)), status: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/**
 * PostgreSQL refuses to start while the pid in its lock file is alive, whatever program it is, unless it is
 * its own parent's. So our own pid is written there. Deleting the file would also lose the key of the shared
 * memory, by which PostgreSQL detects backends that survived their server.
 */
function disownPidFile(dir: DataDir): void {
  explainingFileErrors(dir.root, () => {
    const path = join(dir.cluster, 'postmaster.pid');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*/, `${process.pid}`));
  });
}

function readClaim(dir: DataDir): { text: string; pid: number; isLive: boolean } {
  if (!existsSync(dir.owner)) return { text: '', pid: 0, isLive: false };
  const text = readFileSync(dir.owner, 'utf8');
  const [pid = '', identity] = text.split(' ');
  return {
    text,
    pid: Number(pid),
    isLive: identity !== undefined && processIdentity(Number(pid)) === identity,
  };
}

/** Renames the claim first, to check whether it is still the dead one that was read. */
function dropDeadClaim(dir: DataDir, text: string): void {
  const moved = join(dir.root, `draft-owner-${process.pid}`);
  try {
    renameSync(dir.owner, moved);
  } catch {
    return;
  }
  const taken = readFileSync(moved, 'utf8');
  if (taken !== text) createExclusively(dir.owner, taken);
  rmSync(moved, { force: true });
}

function busy(dir: DataDir, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${dir.root} is in use by process ${pid}; stop that process, ` +
      'or set LOYALTY_DATA_DIR to another directory, or set DATABASE_URL to share one database.',
  );
}
