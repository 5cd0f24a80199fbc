import { checkEmail } from '@loyalty/platform/base/email';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Given } from '@loyalty/platform/base/input';
import type { Config } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import {
  allProviders,
  deleteProvider,
  findProvider,
  insertProvider,
  lockProviders,
  newProviderId,
  openNoticeKey,
  type ProviderDetails,
  replaceProvider,
  type StoredProvider,
  sealNoticeKey,
  sealSecret,
  setPositions,
} from './email-providers.store.ts';
import {
  type ConfigField,
  checkConfig,
  checkLine,
  checkNoticeKey,
  checkSecret,
  checkSender,
  type ProviderConfig,
  type ProviderKind,
} from './provider-config.ts';

const PROVIDERS_MAX = 10;

type ProviderInput = Given<{
  name: string;
  fromAddress: string;
  fromName: string;
  config: Given<Record<ConfigField, string>>;
  secret: Given<{ apiKey: string; accessKeyId: string; secretAccessKey: string }>;
  noticeKey: string;
  isEnabled: boolean;
}>;

type NewProvider = ProviderInput & { readonly kind: ProviderKind | 'PLATFORM' };

/** A provider in the form of the graph. */
export type EmailProvider = Omit<StoredProvider, 'kind' | 'secretSealed' | 'createdAt' | 'updatedAt'> & {
  readonly kind: StoredProvider['kind'] | 'PLATFORM';
  readonly isTerminal: boolean;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
};

/** The id of the platform's own provider, which has no row. */
export const PLATFORM_PROVIDER_ID = NO_ID;

/** Lists the providers in the order in which they are tried. The last one is the platform's own. */
export async function listEmailProviders(ctx: Context): Promise<EmailProvider[]> {
  const own = await allProviders(ctx);
  return [...own.map(shown), platformProvider(ctx.services.config, own.length + 1)];
}

const shown = (provider: StoredProvider): EmailProvider => ({ ...provider, isTerminal: false });

/**
 * Adds a provider at the end of the workspace's list.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field, TOO_MANY_PROVIDERS (409)
 * @remarks Source: loyalty services, section 2 "Email providers"
 */
export async function addEmailProvider(ctx: Context, input: NewProvider): Promise<EmailProvider> {
  const { kind } = input;
  if (kind === 'PLATFORM') throw invalid('input.kind', 'must be another: the platform has its own');
  const id = newProviderId(ctx);
  const details = await detailsOf(ctx, { id, kind }, input, null);
  return ctx.transaction(async (tx) => {
    await lockProviders(tx);
    const count = (await allProviders(tx)).length;
    if (count >= PROVIDERS_MAX)
      throw conflict('TOO_MANY_PROVIDERS', `A workspace has at most ${PROVIDERS_MAX} providers.`);
    const added = await insertProvider(tx, { id, kind, position: count + 1, ...details });
    const after = { kind, name: added.name, isEnabled: added.isEnabled };
    await audit(tx, { action: 'addEmailProvider', resourceType: 'EmailProvider', resourceId: id, after });
    return shown(added);
  });
}

/**
 * Changes the given fields. A new endpoint requires a new secret: otherwise a caller who may change a
 * provider could have its key sent to their own server.
 *
 * @throws AppError EMAIL_PROVIDER_NOT_FOUND (404), PROVIDER_IS_TERMINAL (409), VALIDATION_FAILED (400)
 */
export async function updateEmailProvider(
  ctx: Context,
  id: string,
  input: ProviderInput,
): Promise<EmailProvider> {
  refusePlatform(id, 'changed');
  return ctx.transaction(async (tx) => {
    await lockProviders(tx);
    const before = await getProvider(tx, id);
    const details = await detailsOf(tx, before, input, before);
    if (details.config.endpoint !== before.config.endpoint && !input.secret)
      throw invalid('input.secret', 'must be given again, because the endpoint changes');
    const isReset = Boolean(input.config || input.secret || input.isEnabled);
    const changed = await replaceProvider(tx, id, details, isReset);
    const after = { changed: Object.keys(input), isEnabled: changed.isEnabled };
    await audit(tx, { action: 'updateEmailProvider', resourceType: 'EmailProvider', resourceId: id, after });
    return shown(changed);
  });
}

async function detailsOf(
  ctx: Context,
  { id, kind }: Pick<StoredProvider, 'id' | 'kind'>,
  input: ProviderInput,
  before: StoredProvider | null,
): Promise<ProviderDetails> {
  const { fromAddress: _, fromName: __, ...fields } = before?.config ?? ({} as ProviderConfig);
  const { noticeKey, secret, isEnabled } = input;
  const checked = gathered((check) => {
    if (!before && !input.fromAddress) check(() => checkEmail('input.fromAddress', ''));
    const allow = ctx.services.config.OUTBOUND_ALLOW;
    return {
      config: check(() => checkConfig(kind, input.config ?? {}, fields, allow)),
      sender: check(() => checkSender(input, before?.config ?? null)),
      name: check(() => checkLine('input.name', input.name ?? before?.name ?? '', 100)),
      secret: secret || !before ? check(() => checkSecret(kind, secret ?? {})) : null,
      noticeKey: noticeKey == null ? null : check(() => checkNoticeKey(kind, noticeKey)),
    };
  });
  const { config, sender, name } = checked;
  const keptNoticeKey = noticeKey == null ? (before?.noticeSecretSealed ?? null) : null;
  return {
    name,
    isEnabled: isEnabled ?? before?.isEnabled ?? true,
    config: { ...config, ...sender },
    secretSealed: checked.secret ? await sealSecret(ctx, id, checked.secret) : before!.secretSealed,
    noticeSecretSealed: checked.noticeKey ? await sealNoticeKey(ctx, id, checked.noticeKey) : keptNoticeKey,
  };
}

/**
 * Deletes a provider and returns its id. Messages that were sent through it stay in the log.
 *
 * @throws AppError EMAIL_PROVIDER_NOT_FOUND (404), PROVIDER_IS_TERMINAL (409)
 */
export async function removeEmailProvider(ctx: Context, id: string): Promise<string> {
  refusePlatform(id, 'removed');
  return ctx.transaction(async (tx) => {
    await lockProviders(tx);
    const removed = await deleteProvider(tx, id);
    if (!removed) throw notFound('email provider', id);
    const before = { kind: removed.kind, name: removed.name };
    await audit(tx, { action: 'removeEmailProvider', resourceType: 'EmailProvider', resourceId: id, before });
    return id;
  });
}

/**
 * Sets the order in which providers are tried.
 *
 * @param ids - all ids of the workspace's providers, each once; the platform's id may be the last
 * @throws AppError EMAIL_PROVIDER_NOT_FOUND (404), VALIDATION_FAILED (400) naming ids
 */
export async function reorderEmailProviders(ctx: Context, ids: readonly string[]): Promise<EmailProvider[]> {
  const own = ids.at(-1) === PLATFORM_PROVIDER_ID ? ids.slice(0, -1) : ids;
  if (own.includes(PLATFORM_PROVIDER_ID)) throw invalid('ids', "must end with the platform's provider");
  return ctx.transaction(async (tx) => {
    await lockProviders(tx);
    const known = new Set((await allProviders(tx)).map(({ id }) => id));
    const unknown = own.find((id) => !known.has(id));
    if (unknown) throw notFound('email provider', unknown);
    if (new Set(own).size !== known.size || own.length !== known.size)
      throw invalid('ids', 'must name each provider of the workspace once');
    await setPositions(tx, own);
    const { workspaceId } = tx.scope;
    await audit(tx, {
      action: 'reorderEmailProviders',
      resourceType: 'Workspace',
      resourceId: workspaceId,
      after: { ids: own },
    });
    return listEmailProviders(tx);
  });
}

/** @throws AppError EMAIL_PROVIDER_NOT_FOUND (404) */
export async function getProvider(ctx: Context, id: string): Promise<StoredProvider> {
  const found = await findProvider(ctx, id);
  if (!found) throw notFound('email provider', id);
  return found;
}

/** Returns the key that verifies notices of a provider; null if the provider is unknown or has no key. */
export async function findNoticeKey(
  ctx: Context,
  id: string,
): Promise<{ readonly kind: ProviderKind; readonly key: string } | null> {
  const found = await findProvider(ctx, id);
  if (!found?.noticeSecretSealed) return null;
  return { kind: found.kind, key: await openNoticeKey(ctx, id, found.noticeSecretSealed) };
}

function refusePlatform(id: string, participle: string): void {
  if (id !== PLATFORM_PROVIDER_ID) return;
  throw conflict('PROVIDER_IS_TERMINAL', `The platform's own provider cannot be ${participle}.`);
}

/** The platform's own provider, the last of every list. */
function platformProvider({ MAIL_FROM }: Config, position: number): EmailProvider {
  return {
    id: PLATFORM_PROVIDER_ID,
    name: 'Platform',
    kind: 'PLATFORM',
    position,
    isEnabled: true,
    isTerminal: true,
    config: senderOf(MAIL_FROM),
    noticeSecretSealed: null,
    failures: 0,
    pausedUntil: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastError: null,
    createdAt: null,
    updatedAt: null,
  };
}

/** Splits a sender such as `Loyalty <no-reply@example.com>`. */
function senderOf(sender: string): { fromAddress: string; fromName: string | null } {
  const [, name = '', address] = /^\s*"?([^"<]*)"?\s*<([^>]+)>\s*$/.exec(sender) ?? [];
  return { fromAddress: address ?? sender.trim(), fromName: name.trim() || null };
}

/** Returns the URL to which a provider sends its notices. */
export function noticeUrl({ services, scope }: Context, providerId: string): string {
  const { PUBLIC_URL, HOST, PORT } = services.config;
  const base = (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '');
  return `${base}/api/email-notices/${scope.workspaceId}/${providerId}`;
}
