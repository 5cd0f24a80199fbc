import { createSecretKey, hkdfSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from '@loyalty/prisma/client';
import { LRUCache } from 'lru-cache';
import { UUID_BYTES, uuidAt, uuidToBytes } from '../base/ids.ts';
import {
  deleteKeys,
  findKeys,
  findKeysToRewrap,
  insertKey,
  type KeyPurpose,
  replaceKey,
  updateWrappings,
  type WrappedKey,
} from './keyring.store.ts';
import {
  blindIndex,
  contextIn,
  decrypt,
  encrypt,
  SEALED_BYTES_MIN,
  type SealingKey,
  sealWith,
} from './keyring-cipher.ts';

/** A key of the installation. It never leaves the process; the database contains only keys that it wraps. */
export interface MasterKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Pseudo workspace id for keys of data outside of workspaces, such as accounts and signed links. */
export const PLATFORM_WORKSPACE_ID = '00000000-0000-0000-0000-000000000000';

/** `KEY_NOT_FOUND` also means erased; `DATA_CORRUPT` also means another context or workspace. */
export type KeyringErrorCode = 'MASTER_KEY_UNKNOWN' | 'KEY_NOT_FOUND' | 'DATA_CORRUPT' | 'INVALID_ARGUMENT';

/**
 * The error of all functions in this file. The message names ids and settings, never key material or data.
 */
export class KeyringError extends Error {
  readonly code: KeyringErrorCode;
  constructor(code: KeyringErrorCode, message: string) {
    super(message);
    this.name = 'KeyringError';
    this.code = code;
  }
}

/**
 * The unwrapped keys of one workspace; all functions are synchronous. Do not keep it longer than a request.
 */
export interface WorkspaceKeyring {
  /** Encrypts text. `context` names its meaning (`member.email`); the same context is needed to open it. */
  seal(plaintext: string, context: string): Buffer;
  /** The key that `seal` uses. */
  readonly sealingKey: SealingKey;
  /** Decrypts the result of `seal`. @throws KeyringError DATA_CORRUPT, KEY_NOT_FOUND */
  open(sealed: Uint8Array, context: string): string;
  /**
   * Returns the blind index (43 characters, base64url) to store. The caller normalises the value (case,
   * spaces).
   */
  index(value: string, context: string): string;
  /**
   * Returns every blind index under which the value may be stored, the current one first: for `= ANY(...)`.
   */
  indexes(value: string, context: string): string[];
  /**
   * The keys of blind indexes, the current one first. They may be passed to threads of this process, but not
   * further.
   */
  readonly indexKeys: readonly KeyObject[];
}

/** Envelope encryption: workspace keys encrypt the data, and a master key encrypts the workspace keys. */
export interface Keyring {
  /**
   * Returns the keyring of the workspace; makes its keys on first use.
   *
   * @throws KeyringError MASTER_KEY_UNKNOWN
   */
  of(workspaceId: string): Promise<WorkspaceKeyring>;
  seal(workspaceId: string, plaintext: string, context: string): Promise<Buffer>;
  open(workspaceId: string, sealed: Uint8Array, context: string): Promise<string>;
  /** Rewraps all keys under the first master key and returns the number of changed keys. Can be repeated. */
  rewrapKeys(): Promise<number>;
  /**
   * Retires the current key and makes a new one. Retired keys still open data and are still used for
   * look-ups. The new key is used once every process has had time to load it (twice the cache's time).
   */
  rotateKey(workspaceId: string, purpose: KeyPurpose): Promise<void>;
  /**
   * Destroys the keys of the workspace: its sealed data is lost. Other processes notice when their cache
   * expires (60 s).
   */
  destroyKeys(workspaceId: string): Promise<void>;
  /** Drops cached keys of one workspace or of all, for example after a live event of another process. */
  forget(workspaceId?: string): void;
}

/**
 * Creates the keyring.
 *
 * @param options.masterKeys - the first one wraps new keys; the others only unwrap
 * @param options.ttlMs - time in memory for unwrapped keys; default 60,000 ms
 * @throws KeyringError INVALID_ARGUMENT
 */
export function createKeyring(options: {
  masterKeys: readonly MasterKey[];
  sql: Sql;
  ttlMs?: number;
}): Keyring {
  const { sql, ttlMs = 60_000 } = options;
  const masters = importMasterKeys(options.masterKeys);
  const { of, forget } = cached(ttlMs, (workspaceId) => load(sql, masters, workspaceId, (2 * ttlMs) / 1_000));
  return {
    of: async (workspaceId) => of(workspaceId),
    seal: async (workspaceId, plaintext, context) => (await of(workspaceId)).seal(plaintext, context),
    async open(workspaceId, sealed, context) {
      try {
        return (await of(workspaceId)).open(sealed, context);
      } catch (error) {
        if (!(error instanceof KeyringError) || error.code !== 'KEY_NOT_FOUND') throw error;
        // Another process may have just made this key.
        forget(workspaceId);
        return (await of(workspaceId)).open(sealed, context);
      }
    },
    rewrapKeys: () => rewrap(sql, masters),
    async rotateKey(workspaceId, purpose) {
      await of(workspaceId);
      await replaceKey(sql, makeKey(masters, normalId(workspaceId), purpose));
      forget(workspaceId);
    },
    async destroyKeys(workspaceId) {
      await deleteKeys(sql, normalId(workspaceId));
      forget(workspaceId);
    },
    forget,
  };
}

function cached(ttlMs: number, loadKeys: (workspaceId: string) => Promise<WorkspaceKeyring>) {
  const cache = new LRUCache<string, Promise<WorkspaceKeyring>>({ max: 2_000, ttl: ttlMs });
  return {
    of(id: string): Promise<WorkspaceKeyring> {
      const workspaceId = normalId(id);
      const known = cache.get(workspaceId);
      if (known) return known;
      const loading = loadKeys(workspaceId);
      cache.set(workspaceId, loading);
      // A failure is not cached; all current callers receive it.
      loading.catch(() => cache.peek(workspaceId) === loading && cache.delete(workspaceId));
      return loading;
    },
    forget(id?: string): void {
      if (id === undefined) cache.clear();
      else cache.delete(normalId(id));
    },
  };
}

async function load(
  sql: Sql,
  masters: MasterKeys,
  workspaceId: string,
  activationSeconds: number,
): Promise<WorkspaceKeyring> {
  let stored = await findKeys(sql, workspaceId);
  const missing = purposes.filter((purpose) => !stored.some((k) => k.purpose === purpose && !k.isRetired));
  if (missing.length > 0) {
    for (const purpose of missing) await insertKey(sql, makeKey(masters, workspaceId, purpose));
    stored = await findKeys(sql, workspaceId);
  }
  return unlock(masters, workspaceId, stored, activationSeconds);
}

/**
 * Derives a 32-byte secret for one purpose of the process (signing tokens, hashing API keys) from every
 * master key, the current one first. Sign with the first, accept all.
 *
 * @param label - names the purpose, for example `caller-token`; each label gives an unrelated secret
 */
export function deriveSecret(
  masterKeys: readonly MasterKey[],
  label: string,
): { id: string; secret: Buffer }[] {
  return masterKeys.map(({ id, key }) => ({
    id,
    secret: Buffer.from(hkdfSync('sha256', key, 'loyalty-platform', `secret:${label}`, 32)),
  }));
}

const purposes: readonly KeyPurpose[] = ['DATA', 'INDEX'];
const VERSION = 1;
const REWRAP_BATCH = 200;

interface MasterKeys {
  current: string;
  byId: ReadonlyMap<string, KeyObject>;
}

function importMasterKeys(keys: readonly MasterKey[]): MasterKeys {
  const [first] = keys;
  if (!first) throw invalid('LOYALTY_MASTER_KEYS names no key.');
  for (const { id, key } of keys) {
    if (key.byteLength !== 32)
      throw invalid(`Master key "${id}" in LOYALTY_MASTER_KEYS is not 32 bytes long.`);
  }
  const byId = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  if (byId.size !== keys.length) throw invalid('LOYALTY_MASTER_KEYS names a key id twice.');
  return { current: first.id, byId };
}

function masterKey(masters: MasterKeys, id: string): KeyObject {
  const key = masters.byId.get(id);
  if (key) return key;
  const sentence = `Master key "${id}" wraps stored keys and is not known: add it to LOYALTY_MASTER_KEYS.`;
  throw new KeyringError('MASTER_KEY_UNKNOWN', sentence);
}

type KeyName = Pick<WrappedKey, 'workspaceId' | 'purpose' | 'keyId'>;

// The names are authenticated: a wrapped key that is copied to another workspace cannot be unwrapped there.
const wrappingContext = ({ workspaceId, purpose, keyId }: KeyName) =>
  `key:${workspaceId}:${purpose}:${keyId}`;

function makeKey(masters: MasterKeys, workspaceId: string, purpose: KeyPurpose) {
  return wrap(masters, { workspaceId, purpose, keyId: randomUUID() }, randomBytes(32));
}

function wrap(masters: MasterKeys, name: KeyName, key: Uint8Array) {
  const header = Buffer.of(VERSION);
  const wrappedKey = encrypt(masterKey(masters, masters.current), header, key, wrappingContext(name));
  return { ...name, wrappedKey, masterKeyId: masters.current };
}

function unwrap(masters: MasterKeys, key: WrappedKey): Buffer {
  const master = masterKey(masters, key.masterKeyId);
  const bytes = decrypt(master, Buffer.from(key.wrappedKey), 1, wrappingContext(key));
  if (!bytes) throw corrupt();
  return bytes;
}

function unlock(
  masters: MasterKeys,
  workspaceId: string,
  stored: readonly WrappedKey[],
  activationSeconds: number,
): WorkspaceKeyring {
  const keysFor = (purpose: KeyPurpose) => {
    const ofPurpose = stored.filter((key) => key.purpose === purpose);
    // A new key is used only after all processes have loaded it. So no process meets data that it cannot open
    // or find.
    const current = ofPurpose.find((key) => key.ageSeconds >= activationSeconds) ?? ofPurpose.at(-1);
    if (!current) throw new KeyringError('KEY_NOT_FOUND', `Workspace ${workspaceId} has no ${purpose} key.`);
    const ordered = [current, ...ofPurpose.filter((key) => key !== current)];
    return ordered.map((key) => ({ id: key.keyId, key: createSecretKey(unwrap(masters, key)) }));
  };
  const dataKeys = keysFor('DATA');
  const indexKeys = keysFor('INDEX');
  const byId = new Map(dataKeys.map(({ id, key }) => [id, key]));
  const { id: currentId, key: currentKey } = dataKeys[0]!;
  const header = Buffer.concat([Buffer.of(VERSION), uuidToBytes(currentId)]);
  const sealingKey = { workspaceId, key: currentKey, header };

  return {
    seal: (plaintext, context) => sealWith(sealingKey, plaintext, context),
    sealingKey,
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < 1 + UUID_BYTES + SEALED_BYTES_MIN || bytes[0] !== VERSION) throw corrupt();
      const id = uuidAt(bytes, 1);
      const key = byId.get(id);
      if (!key)
        throw new KeyringError('KEY_NOT_FOUND', `Key ${id} of workspace ${workspaceId} does not exist.`);
      const plaintext = decrypt(key, bytes, 1 + UUID_BYTES, contextIn(workspaceId, context));
      if (!plaintext) throw corrupt();
      return plaintext.toString('utf8');
    },
    index: (value, context) => blindIndex(indexKeys[0]!.key, value, context),
    indexes: (value, context) => indexKeys.map(({ key }) => blindIndex(key, value, context)),
    indexKeys: indexKeys.map(({ key }) => key),
  };
}

async function rewrap(sql: Sql, masters: MasterKeys): Promise<number> {
  let changed = 0;
  let after = PLATFORM_WORKSPACE_ID; // The lowest UUID.
  for (;;) {
    const keys = await findKeysToRewrap(sql, masters.current, after, REWRAP_BATCH);
    const last = keys.at(-1);
    if (!last) return changed;
    const rewrapped = keys.map((key) => ({
      ...wrap(
        masters,
        { workspaceId: key.workspaceId, purpose: key.purpose, keyId: key.keyId },
        unwrap(masters, key),
      ),
      formerMasterKeyId: key.masterKeyId,
    }));
    changed += await updateWrappings(sql, masters.current, rewrapped);
    after = last.keyId;
  }
}

function normalId(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw invalid('A workspace id is not a UUID.');
  return id.toLowerCase();
}

const invalid = (message: string) => new KeyringError('INVALID_ARGUMENT', message);
const corrupt = () =>
  new KeyringError('DATA_CORRUPT', 'Sealed data is damaged, or belongs to another workspace or context.');
