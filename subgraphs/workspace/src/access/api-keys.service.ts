import { actorId, type Mode } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { conflict, forbidden, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { atMost, inFuture, inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import { accountKeys } from '../accounts/platform-workspace.ts';
import {
  type ApiKey,
  apiKeyById,
  apiKeysPage,
  endKey,
  endKeysOf,
  insertApiKey,
  replaceKey,
} from './api-keys.store.ts';
import { checkScopes } from './key-scopes.ts';
import { listedParts, newKeySecret } from './key-secret.ts';
import { isV1Scope } from './scopes.ts';

export type { ApiKey };

/** A key with its secret, which is shown only once. */
interface CreatedApiKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
}

interface CreateApiKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly mode?: Mode | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** The purpose of the blind index of key secrets. */
export const SECRET_INDEX = 'api-key';

/** Kind and origins of a server key. */
const secretKey = { kind: 'SECRET', origins: [] } as const;

const NAME_LENGTH_MAX = 100;
/** All scopes of a publishable key. */
const PUBLISHABLE_SCOPES = ['tracking:write'];

const V1_KEY_LIFETIME_MS = 90 * DAY_MS;
const ROTATED_KEY_LIFETIME_MS = DAY_MS;

/** Loads one key of the workspace that the caller may see; null if there is none. */
export const findApiKey = (ctx: Context, id: string): Promise<ApiKey | null> => ctx.load(apiKeyById, id);

/**
 * Returns keys of the workspace, newest first.
 *
 * @param args.isRevoked - true: only revoked ones; false: only others; null: all
 * @param args.createdById - only keys that this person, or a key of theirs, created
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "API keys", GET /api-keys
 */
export async function listApiKeys(
  ctx: Context,
  args: PageArgs & {
    readonly isRevoked?: boolean | null | undefined;
    readonly createdById?: string | null | undefined;
  },
): Promise<Page<ApiKey>> {
  const { isRevoked = null, createdById = null } = args;
  return apiKeysPage(ctx, pageRequest(args), { isRevoked, createdById });
}

/**
 * Creates a key; only a keyed hash of its secret is stored.
 *
 * @throws AppError SCOPE_UNKNOWN, VALIDATION_FAILED (400), SCOPE_MISSING, ROLE_REQUIRED, LIVE_ONLY (403)
 * @remarks Source: v2 REST API, section 5.2; model API, section 5
 */
export async function createApiKey(ctx: Context, input: CreateApiKey): Promise<CreatedApiKey> {
  const { name, scopes } = gathered((check) => ({
    name: check(() => checkText('input.name', input.name, NAME_LENGTH_MAX)),
    scopes: check(() => checkScopes(ctx.caller, 'input.scopes', input.scopes)),
  }));
  const mode = input.mode ?? ctx.scope.mode;
  requireMode(ctx, mode);
  const expiresAt = checkExpiry(ctx, scopes, input.expiresAt ?? null);
  return ctx.transaction((tx) =>
    issue(tx, 'createApiKey', newId(tx.clock), { ...secretKey, name, scopes, mode, expiresAt }),
  );
}

/**
 * Creates a key in the caller's mode that does not expire, for the REST API.
 *
 * @throws AppError SCOPE_NOT_GRANTABLE (400) for a scope of the model API, otherwise like `createApiKey`
 * @remarks Source: v2 REST API, section 4 "API keys", POST /api-keys
 */
export async function createIntegrationKey(
  ctx: Context,
  name: string,
  scopes: readonly string[],
): Promise<CreatedApiKey> {
  const key = {
    ...secretKey,
    ...gathered((check) => ({
      name: check(() => checkText('name', name, NAME_LENGTH_MAX)),
      scopes: check(() => checkScopes(ctx.caller, 'scopes', scopes, { withModel: false })),
    })),
    mode: ctx.scope.mode,
    expiresAt: null,
  };
  return ctx.transaction((tx) => issue(tx, 'createApiKey', newId(tx.clock), key));
}

/**
 * Creates a publishable key, which everybody may read: it records events of visitors of a website or an app.
 *
 * @param input.origins - of websites, such as https://shop.example.com; empty for all
 * @throws AppError VALIDATION_FAILED (400), SCOPE_MISSING, LIVE_ONLY (403)
 */
export async function createPublishableKey(
  ctx: Context,
  input: {
    readonly name: string;
    readonly origins?: readonly string[] | null | undefined;
    readonly mode?: Mode | null | undefined;
  },
): Promise<CreatedApiKey> {
  const key = gathered((check) => ({
    name: check(() => checkText('input.name', input.name, NAME_LENGTH_MAX)),
    kind: 'PUBLISHABLE' as const,
    origins: check(() => checkOrigins('input.origins', input.origins ?? [])),
    scopes: checkScopes(ctx.caller, 'input.scopes', PUBLISHABLE_SCOPES),
    mode: input.mode ?? ctx.scope.mode,
    expiresAt: null,
  }));
  requireMode(ctx, key.mode);
  return ctx.transaction((tx) => issue(tx, 'createPublishableKey', newId(tx.clock), key));
}

/**
 * Creates a key with the same name, scopes, mode and lifetime, and ends the old one after 24 hours.
 *
 * @param revokeNow - ends the old one at once
 * @throws AppError API_KEY_NOT_FOUND (404) for an unknown or revoked key, API_KEY_ROTATED (409) for a second
 *   rotation, SCOPE_MISSING, ROLE_REQUIRED (403)
 */
export async function rotateApiKey(ctx: Context, id: string, revokeNow: boolean): Promise<CreatedApiKey> {
  const former = await findApiKey(ctx, id);
  if (!former || former.revokedAt) throw notFound('API key', id);
  const scopes = checkScopes(ctx.caller, 'id', former.scopes);
  return ctx.transaction(async (tx) => {
    const now = tx.clock.now();
    const newKeyId = newId(tx.clock);
    const endsAt = revokeNow ? { revokedAt: now } : { expiresAt: addMs(now, ROTATED_KEY_LIFETIME_MS) };
    const ended = await replaceKey(tx, id, newKeyId, endsAt);
    if (!ended)
      throw conflict(
        'API_KEY_ROTATED',
        'The key was rotated or revoked before. Rotate the key that replaced it.',
      );
    await audit(tx, {
      action: 'rotateApiKey',
      resourceType: 'ApiKey',
      resourceId: id,
      after: { replacedById: newKeyId, expiresAt: ended.expiresAt, revokedAt: ended.revokedAt },
    });
    forgetCredentials(tx, `key:${id}`);
    const { name, mode, kind, origins } = former;
    const key = { name, mode, kind, origins, scopes, expiresAt: sameLifetime(tx, former) };
    return issue(tx, 'createApiKey', newKeyId, key);
  });
}

/**
 * Revokes a key at once.
 *
 * @throws AppError API_KEY_NOT_FOUND (404) for an unknown key and for one that was revoked before
 * @remarks Source: v2 REST API, section 4 "API keys", DELETE /api-keys/{id}
 */
export async function revokeApiKey(ctx: Context, id: string): Promise<ApiKey> {
  return ctx.transaction(async (tx) => {
    const ended = await endKey(tx, id);
    if (!ended) throw notFound('API key', id);
    await noteRevoked(tx, ended);
    return ended;
  });
}

/** Revokes every key that a person, or a key of theirs, created, in the caller's transaction. */
export async function revokeKeysOf(tx: Context, userId: string): Promise<void> {
  for (const ended of await endKeysOf(tx, userId)) await noteRevoked(tx, ended);
}

async function noteRevoked(tx: Context, { id, revokedAt }: ApiKey): Promise<void> {
  const change = { before: { revokedAt: null }, after: { revokedAt } };
  await audit(tx, { action: 'revokeApiKey', resourceType: 'ApiKey', resourceId: id, ...change });
  forgetCredentials(tx, `key:${id}`);
}

async function issue(
  tx: Context,
  action: string,
  id: string,
  key: Pick<ApiKey, 'name' | 'kind' | 'origins' | 'scopes' | 'mode' | 'expiresAt'>,
): Promise<CreatedApiKey> {
  const keys = await accountKeys(tx);
  const secret = newKeySecret(key.mode, key.kind);
  const secretHash = keys.index(secret, SECRET_INDEX);
  const creatorId = actorId(tx.caller)!;
  const createdAt = tx.clock.now();
  const apiKey = await insertApiKey(tx, {
    ...key,
    ...listedParts(secret),
    id,
    secretHash,
    creatorId,
    createdAt,
  });
  const { kind, origins, scopes, mode, expiresAt } = key;
  const after = { scopes, mode, expiresAt, ...(kind === 'PUBLISHABLE' && { kind, origins }) };
  await audit(tx, { action, resourceType: 'ApiKey', resourceId: id, after });
  return { apiKey, secret };
}

function requireMode(ctx: Context, mode: Mode): void {
  if (ctx.scope.mode === 'TEST' && mode === 'LIVE') {
    throw forbidden('LIVE_ONLY', 'A test credential makes test keys only. Use a live credential.');
  }
}

function checkExpiry(ctx: Context, scopes: readonly string[], expiresAt: Date | null): Date | null {
  const now = ctx.clock.now();
  if (expiresAt && expiresAt <= now) throw invalid('input.expiresAt', inFuture);
  if (!scopes.some(isV1Scope)) return expiresAt;
  const latest = addMs(now, V1_KEY_LIFETIME_MS);
  if (expiresAt && expiresAt > latest)
    throw invalid('input.expiresAt', 'must be at most 90 days from now for these scopes');
  return expiresAt ?? latest;
}

function sameLifetime(ctx: Context, { scopes, createdAt, expiresAt }: ApiKey): Date | null {
  if (!expiresAt) return checkExpiry(ctx, scopes, null);
  return addMs(ctx.clock.now(), expiresAt.getTime() - createdAt.getTime());
}

const ORIGINS_MAX = 20;

/**
 * Returns origins of websites as browsers send them, each once.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the origin
 */
function checkOrigins(field: string, origins: readonly string[]): string[] {
  if (origins.length > ORIGINS_MAX) throw invalid(field, atMost(ORIGINS_MAX));
  gathered((check) => {
    for (const [index, origin] of origins.entries()) check(() => checkOrigin(`${field}[${index}]`, origin));
  });
  return [...new Set(origins)];
}

function checkOrigin(field: string, origin: string): void {
  if (!isOrigin(origin))
    throw invalid(field, inputRule('WEB_ADDRESS', 'must be an origin such as https://shop.example.com'));
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
