// Checks whether the packages of a checkout are installed, and which process may install them. It runs before
// any package is installed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;
/**
 * If two processes find the lock of a dead process at the same time, both have written theirs after this
 * time.
 */
const TAKEN_OVER_MS = 500;

const stampOf = (root) => join(root, 'node_modules', '.installed');
const lockfileHash = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

/**
 * Returns whether all packages of the lockfile are installed. A copy of a checkout may lack some package
 * folders.
 *
 * @param part - `start`: the packages that `npm start` needs; `all`: those of tests, too
 */
export function isInstalled(root, part) {
  const stamp = stampOf(root);
  // npm's list of the installed packages, in the folders of all workspaces.
  const list = join(root, 'node_modules', '.package-lock.json');
  const stamps = (part === 'all' ? ['all'] : ['start', 'all']).map((name) => `${name} ${lockfileHash(root)}`);
  if (!existsSync(stamp) || !stamps.includes(readFileSync(stamp, 'utf8'))) return false;
  if (!existsSync(join(root, 'node_modules', '.bin', 'node')) || !existsSync(list)) return false;
  const { packages } = JSON.parse(readFileSync(list, 'utf8'));
  return Object.keys(packages).every((path) => existsSync(join(root, path, 'package.json')));
}

/** Makes `isInstalled` false, whether or not the following installation succeeds. */
export const unmarkInstalled = (root) => rmSync(stampOf(root), { force: true });

export const markInstalled = (root, part) => writeFileSync(stampOf(root), `${part} ${lockfileHash(root)}`);

/**
 * Runs `work` while no other process runs it in the same checkout. The lock of a killed process is taken
 * over.
 *
 * @param onWait - called once with the id of the process that has the lock
 */
export async function whileAlone(root, onWait, work) {
  const lock = join(root, '.installing');
  await take(lock, onWait);
  const release = () => {
    if (ownerOf(lock) === process.pid) rmSync(lock, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

async function take(lock, onWait) {
  for (let attempt = 0; ; attempt += 1) {
    if (isWritten(lock)) return;
    const owner = ownerOf(lock);
    if (owner !== null && isAlive(owner)) {
      if (attempt === 0) onWait(owner);
      await delay(POLL_MS);
      continue;
    }
    const own = `${lock}.${process.pid}`;
    writeFileSync(own, String(process.pid));
    renameSync(own, lock);
    await delay(TAKEN_OVER_MS);
    if (ownerOf(lock) === process.pid) return;
  }
}

function isWritten(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns null if there is no lock. A process that was killed while it wrote its id counts as process 0. */
function ownerOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid) {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
