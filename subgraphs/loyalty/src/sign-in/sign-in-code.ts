import { randomInt } from 'node:crypto';
import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/base/ids';

const DIGITS = 6;

/** The purpose of the key that hashes codes. */
export const CODE_INDEX = 'member-sign-in-code';

/** Returns six random digits. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** Returns the digits of an entered code; spaces and dashes do not count. */
export const normalCode = (code: string): string => code.replaceAll(/[\s-]/g, '');

/** Returns the text to hash: codes are short, so equal codes of two sign-ins must not have the same hash. */
export const codeOf = (signInId: string, code: string): string => `${signInId}:${code}`;

/**
 * Returns the ids of the workspace and of a sign-in in URL-safe letters, so that a sign-in is searched in one
 * workspace, although nobody has signed in yet.
 */
export const handleOf = (workspaceId: string, id: string): string =>
  Buffer.concat([uuidToBytes(workspaceId), uuidToBytes(id)]).toString('base64url');

/** Returns null for a text that is not a handle. */
export function readHandle(handle: string): { readonly workspaceId: string; readonly id: string } | null {
  const bytes = Buffer.from(handle, 'base64url');
  if (bytes.length !== 2 * UUID_BYTES) return null;
  return { workspaceId: uuidAt(bytes), id: uuidAt(bytes, UUID_BYTES) };
}
