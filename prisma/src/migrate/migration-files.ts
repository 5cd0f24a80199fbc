import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One folder of prisma/migrations. */
export interface MigrationFile {
  /** `<UTC timestamp>_<name>`; migrations are applied in name order. */
  name: string;
  sql: string;
  /** SHA-256, as Prisma writes it to `_prisma_migrations`. */
  checksum: string;
}

/** prisma/migrations of this checkout. */
export const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Returns the migrations in a directory, in the order in which they are applied; none if the directory is
 * missing.
 */
export function readMigrations(dir: string = migrationsDir): MigrationFile[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, 'migration.sql')))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: sha256(sql) };
    });
}

/** Returns whether `checksum` belongs to this migration, with any line ends that git may have written. */
export function isChecksumOf(migration: MigrationFile, checksum: string): boolean {
  const lf = migration.sql.replaceAll('\r\n', '\n');
  return [migration.checksum, sha256(lf), sha256(lf.replaceAll('\n', '\r\n'))].includes(checksum);
}

/** Returns a hash of the state after all migrations. */
export function migrationsHash(dir: string = migrationsDir): string {
  return sha256(
    readMigrations(dir)
      .map(({ name, checksum }) => `${name} ${checksum}`)
      .join('\n'),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
