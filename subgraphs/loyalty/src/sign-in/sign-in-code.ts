import { randomInt } from 'node:crypto';
import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/base/ids';

const DIGITS = 6;

/** What the hash of a code is keyed for. */
export const CODE_INDEX = 'member-sign-in-code';

/** Six random digits. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** The digits of what a person typed, in which spaces and dashes do not count. */
export const normalCode = (code: string): string => code.replaceAll(/[\s-]/g, '');

/** What is hashed: codes are short, so equal ones of two sign-ins must not have one hash. */
export const codeOf = (signInId: string, code: string): string => `${signInId}:${code}`;

/**
 * The ids of the workspace and of a sign-in in URL-safe letters. So a sign-in is looked up in one workspace,
 * although nobody has signed in yet.
 */
export const handleOf = (workspaceId: string, id: string): string =>
  Buffer.concat([uuidToBytes(workspaceId), uuidToBytes(id)]).toString('base64url');

/** Null for what is no handle. */
export function readHandle(handle: string): { readonly workspaceId: string; readonly id: string } | null {
  const bytes = Buffer.from(handle, 'base64url');
  if (bytes.length !== 2 * UUID_BYTES) return null;
  return { workspaceId: uuidAt(bytes), id: uuidAt(bytes, UUID_BYTES) };
}
