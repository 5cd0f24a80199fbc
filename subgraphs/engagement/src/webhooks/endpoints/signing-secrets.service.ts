import { randomBytes } from 'node:crypto';
import type { Context } from '@loyalty/platform/context';

const SEAL = 'webhook.secret';
const SECRET_BYTES = 32;

/** The secrets of an endpoint as they are stored. */
export interface SealedSecrets {
  readonly workspaceId: string;
  readonly secretSealed: Uint8Array;
  readonly previousSecretSealed: Uint8Array | null;
  readonly previousSecretExpiresAt: Date | null;
}

/** A new secret, as `standardwebhooks` reads it, and what is stored of it. */
export async function newSigningSecret(ctx: Context): Promise<{ secret: string; sealed: Buffer }> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: await ctx.services.keyring.seal(ctx.scope.workspaceId, secret, SEAL) };
}

/**
 * The secrets with which a delivery is signed now, the newest first: one, or two after a rotation.
 *
 * @param ctx - of any workspace or none: the row says whose secrets they are
 */
export async function signingSecretsOf(ctx: Context, row: SealedSecrets): Promise<string[]> {
  const { workspaceId, secretSealed, previousSecretSealed, previousSecretExpiresAt } = row;
  const isPreviousGood =
    previousSecretSealed !== null &&
    previousSecretExpiresAt !== null &&
    previousSecretExpiresAt > ctx.clock.now();
  const sealed = isPreviousGood ? [secretSealed, previousSecretSealed] : [secretSealed];
  return Promise.all(sealed.map((bytes) => ctx.services.keyring.open(workspaceId, bytes, SEAL)));
}
