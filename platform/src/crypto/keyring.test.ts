import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, type Sql } from '@loyalty/prisma/client';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import fc from 'fast-check';
import { createKeyring, deriveSecret, KeyringError, PLATFORM_WORKSPACE_ID } from './keyring.ts';

let clone: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let sql: Sql;
const old = { id: '2025', key: randomBytes(32) };
const current = { id: '2026', key: randomBytes(32) };

beforeAll(async () => {
  clone = await createTestDatabase();
  database = createDatabase({ url: clone.url, poolSize: 4 });
  sql = database.sql;
});

afterAll(async () => {
  await database.close();
  await clone.drop();
});

const keyring = (options: { masterKeys?: (typeof old)[]; ttlMs?: number } = {}) =>
  createKeyring({ masterKeys: [current], sql, ...options });

/** Makes keys appear older than the activation time, during which a new key is not used. */
const activateKeys = () =>
  sql.query(`update platform.workspace_keys set created_at = created_at - interval '10 minutes'`);

const code = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof KeyringError) return error.code;
  }
  return 'none';
};

test('what is sealed opens to the same text, and two seals of one text differ', async () => {
  const keys = await keyring().of(randomUUID());
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = keys.seal(text, context);
      expect(keys.open(sealed, context)).toBe(text);
      expect(keys.seal(text, context).equals(sealed)).toBe(false);
    }),
  );
});

test('a flipped bit or a cut anywhere is noticed', async () => {
  const keys = await keyring().of(randomUUID());
  const sealed = keys.seal('ada@example.org', 'member.email');
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const damaged = Buffer.from(sealed);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(code(() => keys.open(damaged, 'member.email'))).toMatch(/DATA_CORRUPT|KEY_NOT_FOUND/);
    }),
  );
  for (let length = 0; length < sealed.length; length++) {
    expect(code(() => keys.open(sealed.subarray(0, length), 'member.email'))).toBe('DATA_CORRUPT');
  }
});

test('sealed data opens neither in another context nor in another workspace', async () => {
  const ring = keyring();
  const [mine, other] = [randomUUID(), randomUUID()];
  const sealed = await ring.seal(mine, 'Ada', 'member.name');
  await expect(ring.open(mine, sealed, 'member.email')).rejects.toMatchObject({ code: 'DATA_CORRUPT' });
  await expect(ring.open(other, sealed, 'member.name')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  expect(await ring.open(mine.toUpperCase(), sealed, 'member.name')).toBe('Ada');
});

test('a key row copied to another workspace does not unwrap there', async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  await keyring().of(mine);
  await sql.query('update platform.workspace_keys set workspace_id = $1 where workspace_id = $2', [
    other,
    mine,
  ]);
  await expect(keyring().of(other)).rejects.toMatchObject({ code: 'DATA_CORRUPT' });
  await keyring().destroyKeys(other);
});

test('a blind index is equal for equal values and differs by context and workspace', async () => {
  const ring = keyring();
  const keys = await ring.of(PLATFORM_WORKSPACE_ID);
  expect(keys.index('ada@example.org', 'user.email')).toMatch(/^[\w-]{43}$/);
  expect(keys.indexes('ada@example.org', 'user.email')).toEqual([
    keys.index('ada@example.org', 'user.email'),
  ]);
  expect(keys.index('ada@example.org', 'user.phone')).not.toBe(keys.index('ada@example.org', 'user.email'));
  const other = await ring.of(randomUUID());
  expect(other.index('ada@example.org', 'user.email')).not.toBe(keys.index('ada@example.org', 'user.email'));
});

test('ten processes that meet a new workspace together agree on one key of each purpose', async () => {
  const workspaceId = randomUUID();
  const all = await Promise.all(Array.from({ length: 10 }, () => keyring().of(workspaceId)));
  const sealed = all[0]!.seal('Ada', 'member.name');
  expect(all.map((keys) => keys.open(sealed, 'member.name'))).toEqual(Array(10).fill('Ada'));
  expect(new Set(all.map((keys) => keys.index('Ada', 'member.name'))).size).toBe(1);
  const rows = await sql.query('select 1 from platform.workspace_keys where workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toHaveLength(2);
});

test('after any rotations old data opens and old indexes are still looked up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('DATA', 'INDEX'), { maxLength: 4 }), async (rotations) => {
      const ring = keyring();
      const workspaceId = randomUUID();
      const written = [
        {
          sealed: await ring.seal(workspaceId, 'Ada', 'n'),
          index: (await ring.of(workspaceId)).index('Ada', 'n'),
        },
      ];
      // Keys are aged before each rotation, so that no two keys have the same age.
      await activateKeys();
      for (const purpose of rotations) {
        await ring.rotateKey(workspaceId, purpose);
        await activateKeys();
        ring.forget();
        const keys = await ring.of(workspaceId);
        written.push({ sealed: keys.seal('Ada', 'n'), index: keys.index('Ada', 'n') });
      }
      const keys = await ring.of(workspaceId);
      for (const { sealed, index } of written) {
        expect(keys.open(sealed, 'n')).toBe('Ada');
        expect(keys.indexes('Ada', 'n')).toContain(index);
      }
      const indexRotations = rotations.filter((purpose) => purpose === 'INDEX').length;
      expect(new Set(written.map(({ index }) => index)).size).toBe(1 + indexRotations);
      expect(keys.indexes('Ada', 'n')[0]).toBe(written.at(-1)!.index);
    }),
    { numRuns: 15 },
  );
});

test('a process with keys from before a rotation reads what the others write right after it', async () => {
  const workspaceId = randomUUID();
  const before = await keyring().of(workspaceId);
  const ring = keyring();
  await ring.rotateKey(workspaceId, 'DATA');
  await ring.rotateKey(workspaceId, 'INDEX');
  const after = await ring.of(workspaceId);
  expect(before.open(after.seal('Ada', 'n'), 'n')).toBe('Ada');
  expect(before.indexes('Ada', 'n')).toContain(after.index('Ada', 'n'));
});

test('rotations at the same time leave one current key', async () => {
  const workspaceId = randomUUID();
  await keyring().of(workspaceId);
  await Promise.all(Array.from({ length: 5 }, () => keyring().rotateKey(workspaceId, 'DATA')));
  const rows = await sql.query(
    `select count(*)::int as n from platform.workspace_keys
     where workspace_id = $1 and purpose = 'DATA' and retired_at is null`,
    [workspaceId],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('after rewrapping the old master key is not needed any more', async () => {
  const workspaceId = randomUUID();
  const before = createKeyring({ masterKeys: [old], sql });
  const sealed = await before.seal(workspaceId, 'Ada', 'n');
  await expect(keyring().open(workspaceId, sealed, 'n')).rejects.toThrow(/"2025".*LOYALTY_MASTER_KEYS/);
  const both = keyring({ masterKeys: [current, old] });
  expect(await both.open(workspaceId, sealed, 'n')).toBe('Ada');
  expect(await both.rewrapKeys()).toBe(2);
  expect(await both.rewrapKeys()).toBe(0);
  expect(await keyring().open(workspaceId, sealed, 'n')).toBe('Ada');
});

test('destroyed keys leave the data unreadable', async () => {
  const ring = keyring();
  const workspaceId = randomUUID();
  const sealed = await ring.seal(workspaceId, 'Ada', 'n');
  await ring.destroyKeys(workspaceId);
  await expect(ring.open(workspaceId, sealed, 'n')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
});

test('a failed load is not remembered', async () => {
  let isDown = true;
  const flaky: Sql = {
    query: (text, params) => (isDown ? Promise.reject(new Error('down')) : sql.query(text, params)),
  };
  const ring = createKeyring({ masterKeys: [current], sql: flaky });
  const workspaceId = randomUUID();
  await expect(ring.of(workspaceId)).rejects.toThrow('down');
  isDown = false;
  expect((await ring.of(workspaceId)).index('a', 'b')).toHaveLength(43);
});

test('cached keys need no statement', async () => {
  let statements = 0;
  const counting: Sql = {
    query: (text, params) => {
      statements += 1;
      return sql.query(text, params);
    },
  };
  const ring = createKeyring({ masterKeys: [current], sql: counting });
  const workspaceId = randomUUID();
  await ring.of(workspaceId);
  const first = statements;
  for (let i = 0; i < 50; i++) await ring.seal(workspaceId, 'Ada', 'n');
  expect(statements).toBe(first);
});

test('derived secrets differ by label and by master key and repeat', () => {
  const [first, second] = deriveSecret([current, old], 'caller-token');
  expect(first).toMatchObject({ id: '2026', secret: expect.any(Uint8Array) });
  expect(first!.secret).toHaveLength(32);
  expect(first!.secret.equals(second!.secret)).toBe(false);
  expect(deriveSecret([current], 'caller-token')[0]!.secret.equals(first!.secret)).toBe(true);
  expect(deriveSecret([current], 'cursor')[0]!.secret.equals(first!.secret)).toBe(false);
});

test('bad master keys and workspace ids are refused in a sentence without the key', async () => {
  const short = { id: 'short', key: Buffer.from('0123456789') };
  expect(() => createKeyring({ masterKeys: [short], sql })).toThrow(/^Master key "short" .* not 32 bytes/);
  expect(() => createKeyring({ masterKeys: [], sql })).toThrow('LOYALTY_MASTER_KEYS');
  expect(() => createKeyring({ masterKeys: [current, current], sql })).toThrow('twice');
  await expect(keyring().of('1 or 1=1')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
