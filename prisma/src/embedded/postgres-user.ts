import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './postgres-error.ts';

/** The system account that PostgreSQL runs as when we are root. */
export interface PostgresUser {
  name: string;
  uid: number;
  gid: number;
}

/** True when this process is root, which PostgreSQL refuses to run as. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account for the PostgreSQL processes: null for our own, and as root the owner of the existing data
 * directory, else `postgres`, else `nobody`.
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

/** The nearest directory on the way to `path` that other users may not enter; null when all are open. */
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
