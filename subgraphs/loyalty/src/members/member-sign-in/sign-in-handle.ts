import { UUID_BYTES, uuidAt, uuidToBytes } from '@loyalty/platform/values/ids';

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
