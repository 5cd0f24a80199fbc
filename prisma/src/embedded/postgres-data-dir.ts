import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError, reasonOf, systemErrorCode, throwIfInterrupted } from './postgres-error.ts';
import type { DataDir, PostgresBinaries } from './postgres-paths.ts';
import { runAs } from './postgres-process.ts';
import { closedAncestor, isRoot, type PostgresUser } from './postgres-user.ts';

/** Name of the database, and of the role that owns it. */
export const databaseName = 'loyalty';

/**
 * Returns the directory of the embedded database of a checkout: LOYALTY_DATA_DIR (relative to the checkout)
 * if set, otherwise `.data` in the checkout. As root, it is a directory below /var/lib that the unprivileged
 * database user can reach.
 */
export function defaultDataDir(checkoutDir: string, env: string | undefined): string {
  if (env !== undefined && env !== '') return resolve(checkoutDir, env);
  if (!isRoot()) return resolve(checkoutDir, '.data');
  const hash = createHash('sha256').update(realpathSync(checkoutDir)).digest('hex').slice(0, 12);
  return `/var/lib/loyalty-platform/${hash}`;
}

/** Returns a new path for a temporary data directory; as root, one that other users can reach. */
export function temporaryDataDir(prefix: string): string {
  return join(temporaryParent(), `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
}

/**
 * Returns the folder for temporary data directories: in memory if there is enough, where clones take a tenth
 * of the time.
 */
export function temporaryParent(): string {
  if (isRoomyMemory('/dev/shm')) return '/dev/shm';
  return realpathSync(isRoot() && closedAncestor(tmpdir()) !== null ? '/tmp' : tmpdir());
}

/** /dev/shm of a container has only 64 MB. Programs may have to be copied there and run. */
function isRoomyMemory(path: string): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === path);
    if (mount === undefined || !mount.includes(' tmpfs ') || mount.includes('noexec')) return false;
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}

/**
 * Creates the data directory, and removes incomplete files of interrupted starts.
 * @throws EmbeddedPostgresError if it cannot be written, or the database user cannot reach it
 */
export function openDataDir(path: string, user: (clusterDir: string) => PostgresUser | null): DataDir {
  const root = resolve(path);
  return explainingFileErrors(root, () => {
    mkdirSync(root, { recursive: true, mode: 0o755 });
    const real = realpathSync(root);
    const closed = user(join(real, 'cluster')) === null ? null : closedAncestor(real);
    if (closed !== null) {
      throw new EmbeddedPostgresError(
        `PostgreSQL does not run as root, and its user cannot enter ${closed}; ` +
          `set LOYALTY_DATA_DIR to a directory that others can enter, or run chmod o+x ${closed}.`,
      );
    }
    return pathsIn(real);
  });
}

/** Returns the paths inside a data directory with this real path. */
export function pathsIn(root: string): DataDir {
  const [cluster, password, owner] = ['cluster', 'password', 'owner'].map((name) => join(root, name));
  return { root, cluster: cluster ?? '', password: password ?? '', owner: owner ?? '' };
}

/** Returns the password of the database; the first call creates it. */
export function readPassword(dir: DataDir): string {
  return explainingFileErrors(dir.root, () => {
    if (!existsSync(dir.password) && !existsSync(dir.cluster)) {
      const draft = join(dir.root, `draft-password-${process.pid}`);
      writeFileSync(draft, randomBytes(24).toString('hex'), { mode: 0o600 });
      renameSync(draft, dir.password);
    }
    if (!existsSync(dir.password)) {
      throw new EmbeddedPostgresError(
        `The database password ${dir.password} is missing; put the file back, or move ${dir.cluster} away.`,
      );
    }
    return readFileSync(dir.password, 'utf8').trim();
  });
}

/**
 * Makes sure that the cluster exists and fits the programs. It is built in a temporary place and renamed when
 * complete, so that an interrupted start leaves nothing that looks like a database.
 *
 * @throws EmbeddedPostgresError if initdb fails, or if the cluster has another major version
 */
export async function prepareCluster(
  dir: DataDir,
  binaries: PostgresBinaries,
  options: { user: PostgresUser | null; password: string; fsync: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  removeDrafts(dir);
  const found = clusterVersion(dir);
  if (found === binaries.majorVersion) return;
  if (found !== null) {
    throw new EmbeddedPostgresError(
      `The database in ${dir.cluster} was made by PostgreSQL ${found} and this version of the ` +
        `platform brings PostgreSQL ${binaries.majorVersion}; ` +
        'dump it with the old version and load it into a new ' +
        'LOYALTY_DATA_DIR, or move the directory away to start empty.',
    );
  }
  const draft = join(dir.root, `draft-cluster-${process.pid}`);
  try {
    await initCluster(draft, binaries.initdb, options);
    explainingFileErrors(dir.root, () => renameSync(join(draft, 'cluster'), dir.cluster));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function initCluster(
  draft: string,
  initdb: string,
  options: { user: PostgresUser | null; password: string; fsync: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const { user, password, fsync, signal } = options;
  const passwordFile = join(draft, 'password');
  explainingFileErrors(draft, () => {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user !== null) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
  });
  throwIfInterrupted(signal);
  // The builtin provider maps upper and lower case of Unicode, and sorts in the same way on every machine.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const login = [`--username=${databaseName}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', join(draft, 'cluster'), ...locale, ...login, ...(fsync ? [] : ['--no-sync'])];
  const { code, output, error } = await runAs(user, initdb, args, { cwd: draft, signal });
  throwIfInterrupted(signal);
  if (code === 0) return;
  const reason = /(?:FATAL|error|could not).*/.exec(output)?.[0] ?? error?.message ?? output.trim();
  throw new EmbeddedPostgresError(
    `PostgreSQL could not make its data directory in ${draft} (${reason}); ` +
      'make room there, or set LOYALTY_DATA_DIR or DATABASE_URL.',
  );
}

function clusterVersion(dir: DataDir): string | null {
  return explainingFileErrors(dir.root, () => {
    if (!existsSync(dir.cluster)) return null;
    const versionFile = join(dir.cluster, 'PG_VERSION');
    if (existsSync(versionFile)) return readFileSync(versionFile, 'utf8').trim();
    if (readdirSync(dir.cluster).length > 0) {
      throw new EmbeddedPostgresError(
        `${dir.cluster} holds files but no database; ` +
          'move it away, or set LOYALTY_DATA_DIR to another directory.',
      );
    }
    rmdirSync(dir.cluster);
    return null;
  });
}

function removeDrafts(dir: DataDir): void {
  for (const name of readdirSync(dir.root)) {
    if (name.startsWith('draft-')) rmSync(join(dir.root, name), { recursive: true, force: true });
  }
}

/** Creates a file with this content unless it exists. Atomic: of two processes, only one succeeds. */
export function createExclusively(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o644 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Runs file operations below `path`; if the system refuses them, the error names the correction. */
export function explainingFileErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) === '') throw error;
    throw new EmbeddedPostgresError(
      `The data directory ${path} cannot be used (${reasonOf(error)}); set LOYALTY_DATA_DIR to a directory ` +
        'that you can write, or start as the user who owns it.',
    );
  }
}
