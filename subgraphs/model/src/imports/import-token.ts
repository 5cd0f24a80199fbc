import { randomBytes } from 'node:crypto';
import { conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';

const BYTES = 32;
/** The purpose of the keyring's index for tokens. */
const INDEX = 'data-import.token';

export const newToken = (): string => randomBytes(BYTES).toString('base64url');

/** Returns the possible stored hashes of a token, that of the newest key first. */
export async function tokenHashes(ctx: Context, token: string): Promise<string[]> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return keys.indexes(token, INDEX);
}

/** The error is the same for tokens of other people, so that no caller can find out that they exist. */
export const tokenMismatch = () =>
  conflict(
    'IMPORT_TOKEN_MISMATCH',
    'The token is not that of a preview of this input by this administrator. Preview the input again.',
    { field: 'token' },
  );

export const tokenExpired = () =>
  conflict('IMPORT_TOKEN_EXPIRED', 'The token is older than 15 minutes. Preview the input again.', {
    field: 'token',
  });

export const hasIssues = () =>
  conflict('IMPORT_HAS_ISSUES', 'The file has issues. Preview it, fix its issues, and preview it again.');
