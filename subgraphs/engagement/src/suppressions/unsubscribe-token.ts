import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { KeyringError, PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { invalid } from '@loyalty/platform/errors';
import { z } from 'zod';

const SEAL = 'unsubscribe.token';

/** Whom a link is for: an address by its blind index, in one workspace and mode. */
interface UnsubscribeTarget extends Scope {
  readonly emailIndex: string;
}

const target = z.tuple([z.uuid(), z.enum(['LIVE', 'TEST']), z.string().min(1)]);

/**
 * The token of a link in a message: sealed, so that nobody can make one for another address. It contains no
 * address and does not expire, because a message may be opened years later.
 */
export async function unsubscribeToken(ctx: Context, emailIndex: string): Promise<string> {
  const { workspaceId, mode } = ctx.scope;
  const text = JSON.stringify([workspaceId, mode, emailIndex]);
  return (await ctx.services.keyring.seal(PLATFORM_WORKSPACE_ID, text, SEAL)).toString('base64url');
}

/** @throws AppError TOKEN_INVALID (400) for what `unsubscribeToken` did not make */
export async function readUnsubscribeToken(ctx: Context, token: string): Promise<UnsubscribeTarget> {
  const sealed = Buffer.from(token, 'base64url');
  try {
    const keys = await ctx.services.keyring.of(PLATFORM_WORKSPACE_ID);
    const text = keys.open(sealed, SEAL);
    const [workspaceId, mode, emailIndex] = target.parse(JSON.parse(text));
    return { workspaceId, mode, emailIndex };
  } catch (error) {
    if (!(error instanceof KeyringError) || error.code === 'MASTER_KEY_UNKNOWN') throw error;
    throw invalid('token', 'is not from a valid link: open the link in the message again', 'TOKEN_INVALID');
  }
}
