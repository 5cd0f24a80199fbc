import { createHash, ECDH } from 'node:crypto';
import { actorId } from '@loyalty/platform/base/caller';
import { invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { lengthAtMost } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { assertPublicUrl } from '@loyalty/platform/outbound/http-client';
import webPush from 'web-push';
import {
  countSubscriptions,
  deleteEndpoint,
  deleteOfMember,
  deleteOldest,
  deleteSubscriptions,
  findKeys,
  insertKeys,
  lockOfMember,
  type SealedKeys,
  subscriptionsById,
  subscriptionsOf,
  upsertSubscription,
} from './push-subscriptions.store.ts';

const ENDPOINT_LENGTH_MAX = 2_000;

const BROWSERS_MAX = 20;

const MODULE = 'web_push';

const SEALED_AS = 'push_subscription.content';

/** The endpoint of a browser and its encryption keys. */
export interface Subscription {
  readonly endpoint: string;
  readonly keys: BrowserKeys;
}

/** A stored subscription. */
export interface KeptSubscription extends Subscription {
  readonly id: string;
}

/**
 * Returns whether web push is enabled, and the public key with which a browser subscribes.
 *
 * @remarks Source: v2 REST API, section 4 "Web push", GET
 */
export async function webPushOf(ctx: Context): Promise<{ isEnabled: boolean; publicKey: string | null }> {
  const { modules } = ctx.caller;
  const isEnabled = modules.includes(MODULE) || modules.includes('*');
  return { isEnabled, publicKey: isEnabled ? await publicPushKey(ctx) : null };
}

/**
 * Registers a browser for the signed-in member, or moves it to that member.
 *
 * @throws AppError VALIDATION_FAILED (400) naming endpoint, keys.p256dh or keys.auth, RATE_LIMITED (429),
 * GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Web push", POST
 */
export async function subscribe(ctx: Context, subscription: Subscription): Promise<void> {
  await guardWrite(ctx, 'record');
  const endpoint = checkEndpoint(ctx, subscription.endpoint);
  const keys = checkBrowserKeys(subscription.keys);
  const memberId = actorId(ctx.caller)!;
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const contentSealed = keyring.seal(JSON.stringify({ endpoint, keys }), SEALED_AS);
  const row = { id: newId(ctx.clock), memberId, endpointHash: hashOf(endpoint), contentSealed };
  await ctx.transaction(async (tx) => {
    await lockOfMember(tx, memberId);
    await upsertSubscription(tx, row);
    await deleteOldest(tx, memberId, BROWSERS_MAX);
  });
}

/**
 * Deletes a browser of the signed-in member. Has no effect if it was deleted before.
 *
 * @remarks Source: v2 REST API, section 4 "Web push", DELETE
 */
export const unsubscribe = (ctx: Context, endpoint: string): Promise<void> =>
  deleteEndpoint(ctx, actorId(ctx.caller)!, hashOf(endpoint));

/** Returns the ids of the browsers of these members. */
export const browsersOf = async (ctx: Context, memberIds: readonly string[]): Promise<string[]> =>
  (await subscriptionsOf(ctx, memberIds)).map(({ id }) => id);

/** Returns the ids of the browsers of these members, by member. */
export const browsersByMember = async (
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const byMember = new Map<string, string[]>();
  for (const { memberId, id } of await subscriptionsOf(ctx, memberIds))
    byMember.set(memberId, [...(byMember.get(memberId) ?? []), id]);
  return byMember;
};

/** Returns the given browsers that are still registered. */
export async function findBrowsers(ctx: Context, ids: readonly string[]): Promise<KeptSubscription[]> {
  const rows = await subscriptionsById(ctx, ids);
  if (rows.length === 0) return [];
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return rows.map(({ id, contentSealed }) => ({
    ...(JSON.parse(keyring.open(contentSealed, SEALED_AS)) as Subscription),
    id,
  }));
}

/** Deletes browsers that their push service no longer knows. */
export const deleteBrowsers = (ctx: Context, ids: readonly string[]): Promise<void> =>
  deleteSubscriptions(ctx, ids);

/** Counts the browsers of a member. */
export const countBrowsers = (ctx: Context, memberId: string): Promise<number> =>
  countSubscriptions(ctx, memberId);

/** Deletes the browsers of an erased member. */
export const eraseMemberBrowsers = (ctx: Context, memberId: string): Promise<void> =>
  deleteOfMember(ctx, memberId);

function checkEndpoint(ctx: Context, endpoint: string): string {
  if (endpoint.length > ENDPOINT_LENGTH_MAX) throw invalid('endpoint', lengthAtMost(ENDPOINT_LENGTH_MAX));
  try {
    return assertPublicUrl(endpoint, ctx.services.config.OUTBOUND_ALLOW).href;
  } catch {
    throw invalid('endpoint', 'must be an https address of a public push service');
  }
}

/** The hash of a normalized endpoint, so that other spellings have the same hash. */
const hashOf = (endpoint: string): string =>
  createHash('sha256')
    .update(URL.parse(endpoint)?.href ?? endpoint)
    .digest('base64url');

const POINT_BYTES = 65;

const AUTH_BYTES = 16;

const UNCOMPRESSED = 4;

/** The keys of a subscribed browser, base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * Refuses keys that no message can be encrypted with.
 *
 * @throws AppError VALIDATION_FAILED naming keys.p256dh or keys.auth
 */
function checkBrowserKeys({ p256dh, auth }: BrowserKeys): BrowserKeys {
  const point = bytesOf(p256dh);
  if (point?.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || !isOnCurve(point))
    throw invalid('keys.p256dh', 'must be an uncompressed point of P-256: 65 bytes in base64url');
  if (bytesOf(auth)?.length !== AUTH_BYTES) throw invalid('keys.auth', 'must be 16 bytes in base64url');
  return { p256dh, auth };
}

/** Decodes base64url without padding; null for other text. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** The keys that identify a workspace to push services (RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const KEY_SEALED_AS = 'push_key.private';

/** Returns the keys of the workspace, which are created at the first use. Live and test mode share them. */
export async function pushKeys(ctx: Context): Promise<PushKeys> {
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const { publicKey, privateKeySealed } = (await findKeys(ctx)) ?? (await makeKeys(ctx));
  return { publicKey, privateKey: keyring.open(privateKeySealed, KEY_SEALED_AS) };
}

/** Returns the public key, with which browsers subscribe. */
const publicPushKey = async (ctx: Context): Promise<string> =>
  ((await findKeys(ctx)) ?? (await makeKeys(ctx))).publicKey;

async function makeKeys(ctx: Context): Promise<SealedKeys> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  await insertKeys(ctx, { publicKey, privateKeySealed: keyring.seal(privateKey, KEY_SEALED_AS) });
  return (await findKeys(ctx))!;
}
