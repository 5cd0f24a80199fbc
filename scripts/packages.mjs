// Whether the packages of a checkout are there, and who may install them. It runs before any of them is.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;
/** Two processes that find the lock of a dead one at once have both written theirs by then. */
const TAKEN_OVER_MS = 500;

const stampOf = (root) => join(root, 'node_modules', '.installed');
const lockfileHash = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

/**
 * Is everything there that the lockfile asks for? A copy of a checkout may lack some folders of packages.
 *
 * @param part - `start`: what `npm start` needs; `all`: what tests need, too
 */
export function isInstalled(root, part) {
  const stamp = stampOf(root);
  // npm's list of what it has installed here, in the folders of all workspaces.
  const list = join(root, 'node_modules', '.package-lock.json');
  const stamps = (part === 'all' ? ['all'] : ['start', 'all']).map((name) => `${name} ${lockfileHash(root)}`);
  if (!existsSync(stamp) || !stamps.includes(readFileSync(stamp, 'utf8'))) return false;
  if (!existsSync(join(root, 'node_modules', '.bin', 'node')) || !existsSync(list)) return false;
  const { packages } = JSON.parse(readFileSync(list, 'utf8'));
  return Object.keys(packages).every((path) => existsSync(join(root, path, 'package.json')));
}

/** From here on `isInstalled` is false, however the installation ends. */
export const unmarkInstalled = (root) => rmSync(stampOf(root), { force: true });

export const markInstalled = (root, part) => writeFileSync(stampOf(root), `${part} ${lockfileHash(root)}`);

/**
 * Runs `work` while no other process that asks for it does in the same checkout. What a killed process had
 * is taken over.
 *
 * @param onWait - called once with the number of the process that has it
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

/** Null where nobody has it; a process that was killed while it wrote its number is number 0. */
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
