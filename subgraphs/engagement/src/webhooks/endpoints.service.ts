import { randomBytes } from 'node:crypto';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import type { Given } from '@loyalty/platform/base/input';
import { between, inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publishDeliveriesChanged } from './delivery-channels.ts';
import { checkDescription, checkEventTypes, checkUrl } from './endpoints.input.ts';
import {
  type AttemptStatistics,
  cancelDeliveries,
  changeEndpoint,
  type EndpointChange,
  type EndpointStatus,
  endpointById,
  endpointsPage,
  insertEndpoint,
  lockEndpoints,
  markDeleted,
  replaceSecret,
  statisticsByKey,
  statisticsKey,
  type WebhookEndpoint,
} from './endpoints.store.ts';

export type { WebhookEndpoint };

/** An endpoint with its secret, which is shown once. */
interface CreatedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Statistics of the newest attempts of an endpoint. */
export type WebhookStatistics = AttemptStatistics &
  Pick<WebhookEndpoint, 'lastError' | 'lastSuccessAt' | 'lastFailureAt'>;

interface EndpointDetails {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

const ENDPOINTS_MAX = 20;

const PREVIOUS_SECRET_GOOD_FOR_MS = DAY_MS;

const HOURS_MAX = 720;

/** Returns an endpoint of the caller's workspace and mode, or null. */
export const findEndpoint = (ctx: Context, id: string): Promise<WebhookEndpoint | null> =>
  ctx.load(endpointById, id);

/** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404) */
export async function getEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  const found = await findEndpoint(ctx, id);
  if (!found) throw unknown(id);
  return found;
}

/**
 * Lists endpoints of the caller's workspace and mode, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Webhooks", GET /webhooks
 */
export async function listEndpoints(ctx: Context, args: PageArgs): Promise<Page<WebhookEndpoint>> {
  return endpointsPage(ctx, pageRequest(args));
}

/**
 * Registers an endpoint; its secret is stored sealed.
 *
 * @throws AppError VALIDATION_FAILED, EVENT_TYPE_UNKNOWN (400), WEBHOOK_ENDPOINT_LIMIT (409)
 * @remarks Source: v2 REST API, section 4 "Webhooks", POST /webhooks
 */
export async function createEndpoint(
  ctx: Context,
  input: Pick<EndpointDetails, 'url' | 'eventTypes'> & Given<EndpointDetails>,
): Promise<CreatedWebhookEndpoint> {
  const details = gathered((check) => ({
    url: check(() => checkUrl(input.url, ctx.services.config.OUTBOUND_ALLOW)),
    description: check(() => checkDescription(input.description ?? '')),
    eventTypes: check(() => checkEventTypes('input.eventTypes', input.eventTypes)),
  }));
  const { secret, sealed } = await newSigningSecret(ctx);
  return ctx.transaction(async (tx) => {
    await lockEndpoints(tx);
    const made = { ...details, id: newId(tx.clock), secretSealed: sealed };
    const endpoint = await insertEndpoint(tx, made, ENDPOINTS_MAX);
    if (!endpoint)
      throw conflict(
        'WEBHOOK_ENDPOINT_LIMIT',
        `The workspace has ${ENDPOINTS_MAX} webhook endpoints. Delete one, or add events to one.`,
      );
    await note(tx, 'createWebhookEndpoint', endpoint.id, { after: auditedEndpoint(endpoint) });
    return { endpoint, secret };
  });
}

/**
 * Changes the given fields. A disabled endpoint receives events again when its status is set to ACTIVE.
 *
 * @throws AppError VALIDATION_FAILED, EVENT_TYPE_UNKNOWN (400), WEBHOOK_ENDPOINT_NOT_FOUND (404)
 * @remarks Source: v2 REST API, section 4 "Webhooks", PATCH /webhooks/{id}
 */
export async function updateEndpoint(
  ctx: Context,
  id: string,
  input: Given<EndpointDetails & { readonly status: EndpointStatus }>,
): Promise<WebhookEndpoint> {
  const { url, description, eventTypes } = input;
  const change = gathered((check): EndpointChange => {
    const status = check(() => checkStatus(input.status ?? null));
    return {
      ...(url != null && { url: check(() => checkUrl(url, ctx.services.config.OUTBOUND_ALLOW)) }),
      ...(description != null && { description: check(() => checkDescription(description)) }),
      ...(eventTypes && { eventTypes: check(() => checkEventTypes('input.eventTypes', eventTypes)) }),
      ...(status && { status }),
    };
  });
  return ctx.transaction(async (tx) => {
    const changed = await changeEndpoint(tx, id, change);
    if (!changed) throw unknown(id);
    await note(tx, 'updateWebhookEndpoint', id, {
      after: { ...auditedEndpoint(changed), changed: Object.keys(change) },
    });
    return changed;
  });
}

/**
 * Creates a new secret. For 24 hours, deliveries are also signed with the previous secret.
 *
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404)
 * @remarks Source: v2 REST API, section 4 "Webhooks", PATCH /webhooks/{id}; section 6.3
 */
export async function rotateSecret(ctx: Context, id: string): Promise<CreatedWebhookEndpoint> {
  const { secret, sealed } = await newSigningSecret(ctx);
  return ctx.transaction(async (tx) => {
    const expiresAt = addMs(tx.clock.now(), PREVIOUS_SECRET_GOOD_FOR_MS);
    const endpoint = await replaceSecret(tx, id, sealed, expiresAt);
    if (!endpoint) throw unknown(id);
    await note(tx, 'rotateWebhookSecret', id, { after: { previousSecretExpiresAt: expiresAt } });
    return { endpoint, secret };
  });
}

/**
 * Deletes an endpoint and cancels its pending deliveries.
 *
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404), also when it was deleted before
 * @remarks Source: v2 REST API, section 4 "Webhooks", DELETE /webhooks/{id}
 */
export async function deleteEndpoint(ctx: Context, id: string): Promise<{ id: string; deleted: true }> {
  return ctx.transaction(async (tx) => {
    if (!(await markDeleted(tx, id))) throw unknown(id);
    const cancelledDeliveries = await cancelDeliveries(tx, id);
    publishDeliveriesChanged(tx, id);
    await note(tx, 'deleteWebhookEndpoint', id, { after: { cancelledDeliveries } });
    return { id, deleted: true };
  });
}

/**
 * Returns statistics of the newest attempts of an endpoint. Batched by endpoint.
 *
 * @param hours - 1 to 720, until now
 * @throws AppError VALIDATION_FAILED (400) naming hours
 */
export async function endpointStatistics(
  ctx: Context,
  { id, lastError, lastSuccessAt, lastFailureAt }: WebhookEndpoint,
  hours: number,
): Promise<WebhookStatistics> {
  if (hours < 1 || hours > HOURS_MAX) throw invalid('hours', between(1, HOURS_MAX));
  const found = await ctx.load(statisticsByKey, statisticsKey(id, hours));
  return { ...found!, lastError, lastSuccessAt, lastFailureAt };
}

/** Returns the time at which the previous secret expires, or null if it has expired. */
export const rotationEndsAt = (
  { clock }: Context,
  { previousSecretExpiresAt }: WebhookEndpoint,
): Date | null =>
  previousSecretExpiresAt && previousSecretExpiresAt > clock.now() ? previousSecretExpiresAt : null;

function checkStatus(status: EndpointStatus | null): 'ACTIVE' | 'PAUSED' | null {
  if (status === 'DISABLED') throw invalid('input.status', inputRule('ONE_OF', 'must be active or paused'));
  return status;
}

/**
 * An endpoint in audit entries. Only the host of the URL is included, because the path may contain a secret
 * of the receiver.
 */
const auditedEndpoint = ({ url, eventTypes, status }: WebhookEndpoint) => ({
  host: new URL(url).host,
  eventTypes,
  status,
});

const note = (
  tx: Context,
  action: string,
  resourceId: string,
  change: { readonly after: Readonly<Record<string, unknown>> },
): Promise<void> => audit(tx, { action, resourceType: 'WebhookEndpoint', resourceId, ...change });

const unknown = (id: string): Error => notFound('webhook endpoint', id);

const SEAL = 'webhook.secret';

const SECRET_BYTES = 32;

/** The stored secrets of an endpoint. */
export interface SealedSecrets {
  readonly workspaceId: string;
  readonly secretSealed: Uint8Array;
  readonly previousSecretSealed: Uint8Array | null;
  readonly previousSecretExpiresAt: Date | null;
}

/** Creates a secret in the format of `standardwebhooks`, and the sealed secret that is stored. */
export async function newSigningSecret(ctx: Context): Promise<{ secret: string; sealed: Buffer }> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: await ctx.services.keyring.seal(ctx.scope.workspaceId, secret, SEAL) };
}

/**
 * Returns the secrets that sign a delivery now, newest first: one, or two after a rotation.
 *
 * @param ctx - of any workspace or none; the row contains the workspace of the secrets
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
