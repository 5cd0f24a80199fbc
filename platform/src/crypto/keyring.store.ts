import type { Sql } from '@loyalty/prisma/client';

/** DATA keys encrypt values; INDEX keys make the blind indexes of values. */
export type KeyPurpose = 'DATA' | 'INDEX';

/** A stored key: it is encrypted under a master key and useless without it. */
export interface WrappedKey {
  workspaceId: string;
  purpose: KeyPurpose;
  keyId: string;
  wrappedKey: Uint8Array;
  masterKeyId: string;
  isRetired: boolean;
  /** Seconds by the clock of the database, so that all processes agree on it. */
  ageSeconds: number;
}

const columns = `workspace_id, purpose, key_id, wrapped_key, master_key_id,
  retired_at is not null as is_retired, extract(epoch from now() - created_at)::float8 as age_seconds`;

/** Returns every key of a workspace, the newest first. */
export function findKeys(sql: Sql, workspaceId: string): Promise<WrappedKey[]> {
  return sql.query<WrappedKey>(
    `select ${columns} from platform.workspace_keys
     where workspace_id = $1::uuid order by created_at desc, key_id desc`,
    [workspaceId],
  );
}

type NewKey = Pick<WrappedKey, 'workspaceId' | 'purpose' | 'keyId' | 'wrappedKey' | 'masterKeyId'>;

/**
 * Inserts the first key. If another process has already inserted one, that key stays and this one is dropped.
 */
export async function insertKey(sql: Sql, key: NewKey): Promise<void> {
  await sql.query(
    `insert into platform.workspace_keys
       (workspace_id, purpose, key_id, wrapped_key, master_key_id, created_at)
     values ($1::uuid, $2, $3::uuid, decode($4, 'hex'), $5, now())
     on conflict (workspace_id, purpose) where retired_at is null do nothing`,
    [key.workspaceId, key.purpose, key.keyId, hex(key.wrappedKey), key.masterKeyId],
  );
}

/**
 * Retires the current key and inserts the new one in one statement. If two processes rotate at the same time,
 * only one of them finds a key to retire, and only that one inserts its own.
 */
export async function replaceKey(sql: Sql, key: NewKey): Promise<void> {
  await sql.query(
    `with retired as (
       update platform.workspace_keys set retired_at = now()
       where workspace_id = $1::uuid and purpose = $2 and retired_at is null
       returning workspace_id
     )
     insert into platform.workspace_keys
       (workspace_id, purpose, key_id, wrapped_key, master_key_id, created_at)
     select workspace_id, $2, $3::uuid, decode($4, 'hex'), $5, now() from retired`,
    [key.workspaceId, key.purpose, key.keyId, hex(key.wrappedKey), key.masterKeyId],
  );
}

/**
 * Returns at most `limit` keys that are wrapped by another master key, in id order, starting after
 * `afterKeyId`.
 */
export function findKeysToRewrap(
  sql: Sql,
  masterKeyId: string,
  afterKeyId: string,
  limit: number,
): Promise<WrappedKey[]> {
  return sql.query<WrappedKey>(
    `select ${columns} from platform.workspace_keys
     where master_key_id <> $1 and key_id > $2::uuid order by key_id limit $3::int`,
    [masterKeyId, afterKeyId, limit],
  );
}

/**
 * Stores new wrappings, except for keys that were rewrapped or destroyed meanwhile. Returns the number of
 * changed keys.
 */
export async function updateWrappings(
  sql: Sql,
  masterKeyId: string,
  keys: readonly { keyId: string; wrappedKey: Uint8Array; formerMasterKeyId: string }[],
): Promise<number> {
  const rows = await sql.query(
    `update platform.workspace_keys as stored
     set wrapped_key = decode(rewrapped.wrapped_key, 'hex'), master_key_id = $1
     from unnest($2::uuid[], $3::text[], $4::text[]) as rewrapped (key_id, wrapped_key, former)
     where stored.key_id = rewrapped.key_id and stored.master_key_id = rewrapped.former
     returning stored.key_id::text`,
    [
      masterKeyId,
      keys.map((key) => key.keyId),
      keys.map((key) => hex(key.wrappedKey)),
      keys.map((key) => key.formerMasterKeyId),
    ],
  );
  return rows.length;
}

/** Deletes every key of a workspace. Data that they encrypted can never be read again. */
export async function deleteKeys(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query('delete from platform.workspace_keys where workspace_id = $1::uuid', [workspaceId]);
}

// Hexadecimal text, because drivers differ in how they pass an array of binary values.
function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
