import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './postgres-error.ts';

/** The system account for PostgreSQL if this process is root. */
export interface PostgresUser {
  name: string;
  uid: number;
  gid: number;
}

/** Returns whether this process is root; PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the account for the PostgreSQL processes: null for our own. As root it is the owner of the existing
 * data directory, otherwise `postgres`, otherwise `nobody`.
 * @throws EmbeddedPostgresError when we are root and there is neither
 */
export function postgresUser(clusterDir: string): PostgresUser | null {
  if (!isRoot()) return null;
  const accounts = readAccounts();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const user =
    accounts.find(({ uid }) => uid === owner?.uid) ??
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody');
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and there is neither a user postgres nor nobody to run it as; ' +
      'start as an ordinary user or set DATABASE_URL.',
  );
}

/**
 * Returns the nearest directory on the way to `path` that other users may not enter; null if all are open.
 */
export function closedAncestor(path: string): string | null {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o001) === 0) return path;
  return dirname(path) === path ? null : closedAncestor(dirname(path));
}

function readAccounts(): PostgresUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
}
