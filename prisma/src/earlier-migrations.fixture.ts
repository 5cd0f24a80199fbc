import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { migrationsDir } from './migrate/migration-files.ts';

/** Makes a folder with the migrations before this one; it is deleted after the test file. */
export function migrationsBefore(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-before-'));
  const all = readdirSync(migrationsDir).sort();
  const earlier = all.slice(
    0,
    all.findIndex((each) => each.endsWith(name)),
  );
  for (const each of [...earlier, 'migration_lock.toml'])
    cpSync(join(migrationsDir, each), join(folder, each), { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
