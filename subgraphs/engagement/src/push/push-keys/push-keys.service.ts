import type { Context } from '@loyalty/platform/context';
import webPush from 'web-push';
import { findKeys, insertKeys, type SealedKeys } from './push-keys.store.ts';

/** What identifies a workspace to push services (RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const SEALED_AS = 'push_key.private';

/** The workspace's keys, made when they are first needed; live and test share them. */
export async function pushKeys(ctx: Context): Promise<PushKeys> {
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const { publicKey, privateKeySealed } = (await findKeys(ctx)) ?? (await makeKeys(ctx));
  return { publicKey, privateKey: keyring.open(privateKeySealed, SEALED_AS) };
}

/** The public key only, which browsers subscribe with. */
export const publicPushKey = async (ctx: Context): Promise<string> =>
  ((await findKeys(ctx)) ?? (await makeKeys(ctx))).publicKey;

async function makeKeys(ctx: Context): Promise<SealedKeys> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  await insertKeys(ctx, { publicKey, privateKeySealed: keyring.seal(privateKey, SEALED_AS) });
  return (await findKeys(ctx))!;
}
