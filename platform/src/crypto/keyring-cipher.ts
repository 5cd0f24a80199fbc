import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';
import { pooledRandomBytes } from '../base/random-pool.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes that sealing adds to header and plaintext: initialisation vector and tag. */
export const SEALED_BYTES_MIN = IV_BYTES + TAG_BYTES;

/**
 * The key that seals new data of a workspace. It may be passed to threads of this process, but not further.
 */
export interface SealingKey {
  readonly workspaceId: string;
  readonly key: KeyObject;
  /** Prefix of sealed data: the version of the format and the id of the key. */
  readonly header: Uint8Array;
}

/** Seals text with a key of a workspace; its keyring opens it. */
export const sealWith = ({ workspaceId, key, header }: SealingKey, text: string, context: string): Buffer =>
  encrypt(key, header, Buffer.from(text, 'utf8'), contextIn(workspaceId, context));

/** The authenticated context of sealed data of a workspace. */
export const contextIn = (workspaceId: string, context: string): string => `data:${workspaceId}:${context}`;

/** Returns `header | iv | ciphertext | tag` (AES-256-GCM); the header and the context are authenticated. */
export function encrypt(key: KeyObject, header: Uint8Array, plaintext: Uint8Array, context: string): Buffer {
  const iv = pooledRandomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([header, Buffer.from(context, 'utf8')]));
  return Buffer.concat([header, iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of `encrypt`. Returns null if the data, its header or its context was altered. */
export function decrypt(key: KeyObject, sealed: Buffer, headerBytes: number, context: string): Buffer | null {
  if (sealed.length < headerBytes + SEALED_BYTES_MIN) return null;
  const bodyStart = headerBytes + IV_BYTES;
  const bodyEnd = sealed.length - TAG_BYTES;
  const iv = sealed.subarray(headerBytes, bodyStart);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([sealed.subarray(0, headerBytes), Buffer.from(context, 'utf8')]));
  decipher.setAuthTag(sealed.subarray(bodyEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(bodyStart, bodyEnd)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Returns the keyed hash (HMAC-SHA-256, base64url, 43 characters) under which an equal value is found. */
export const blindIndex = (key: KeyObject, value: string, context: string): string =>
  keyedHash(key, value, context).toString('base64url');

/** Like `blindIndex`, but 64 bits of the hash. For rows with many values, if a false match does no harm. */
export const blindTerm = (key: KeyObject, value: string, context: string): bigint =>
  keyedHash(key, value, context).readBigInt64BE();

// The length prefix distinguishes ('a', 'b:c') from ('a:b', 'c').
const keyedHash = (key: KeyObject, value: string, context: string): Buffer =>
  createHmac('sha256', key).update(`${context.length}:${context}:${value}`, 'utf8').digest();
