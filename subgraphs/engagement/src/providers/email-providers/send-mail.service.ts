import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { mayTry, noteOutcome, type WatchedProvider } from '../provider-health/provider-health.service.ts';
import { platformTransport } from '../transports/platform.ts';
import type { MailTransport, OutgoingMail, SendOutcome } from '../transports/transport.ts';
import { allProviders, openSecret, type StoredProvider } from './email-providers.store.ts';
import { transportOf } from './provider-transport.ts';

export type { OutgoingMail } from '../transports/transport.ts';

/** One attempt to send a message, as it ended. */
export interface Handover {
  /** Null for the platform's own provider. */
  readonly providerId: string | null;
  readonly providerKind: string;
  readonly outcome: SendOutcome;
  readonly responseStatus: number | null;
  /** A sentence without addresses, content or secrets; null if it was accepted. */
  readonly error: string | null;
  readonly providerMessageId: string | null;
  readonly durationMs: number;
  /** The provider would send the message once only, though it got it again with the same key. */
  readonly isIdempotent: boolean;
}

/** Who keeps the log of attempts. */
export interface HandoverLog {
  /** An attempt begins. @returns its number, which `ended` is given */
  started(provider: { readonly id: string | null; readonly kind: string }): Promise<number>;
  ended(number: number, handover: Handover): Promise<void>;
}

export interface HandoverOptions extends HandoverLog {
  /** Ids of providers that are not tried. */
  readonly skip?: ReadonlySet<string>;
  /** Of `providersFor`, for a batch whose context changes. */
  readonly providers?: MailProviders;
}

/** A provider that can be used, and how its messages reach it. */
interface MailProvider extends WatchedProvider {
  readonly kind: StoredProvider['kind'];
  readonly transport: MailTransport;
}

/** The enabled providers of a workspace in their order, as a batch of messages knows them. */
export type MailProviders = readonly MailProvider[];

const TIMEOUT_MS = 10_000;

/**
 * Sends a message through the first provider that accepts it; the last is the platform's own. Providers that
 * are disabled, paused, or whose configuration cannot be read are left out. In test mode no provider gets it.
 *
 * @returns the attempt that was accepted, or the last one
 * @remarks Source: loyalty services, section 2 "Fallback". Do not call it in a transaction: each provider may
 * take 10 s.
 */
export async function handOver(
  ctx: Context,
  mail: OutgoingMail,
  options: HandoverOptions,
): Promise<Handover> {
  for (const provider of options.providers ?? (await providersFor(ctx))) {
    if (options.skip?.has(provider.id) || !(await mayTry(ctx, provider))) continue;
    const handover = await attempt(ctx, provider, mail, options);
    await noted(ctx, provider, handover);
    if (handover.outcome === 'ACCEPTED') return handover;
  }
  return attempt(ctx, { id: null, kind: 'PLATFORM', transport: platformTransport(ctx) }, mail, options);
}

/** Whether its health can be written does not matter to the message, whose attempt is logged already. */
async function noted(ctx: Context, provider: MailProvider, handover: Handover): Promise<void> {
  try {
    await noteOutcome(ctx, provider, handover);
  } catch (error) {
    ctx.log.warn({ err: error, providerId: provider.id }, 'the health of a mail provider cannot be noted');
  }
}

/**
 * The providers that messages of the workspace are tried with, read once for all messages of a context. What
 * other processes change is seen by the next batch.
 */
export const providersFor = async (ctx: Context): Promise<MailProviders> =>
  ctx.scope.mode === 'TEST' ? [] : ((await ctx.load(usableProviders, ctx.scope.workspaceId)) ?? []);

const usableProviders = loader(async (ctx, workspaceIds: readonly string[]) => {
  const enabled = (await allProviders(ctx)).filter(({ isEnabled }) => isEnabled);
  const opened = await Promise.all(enabled.map((provider) => opening(ctx, provider)));
  return new Map(workspaceIds.map((id) => [id, opened.filter((provider) => provider !== null)]));
});

/** Null where the configuration cannot be read. */
async function opening(ctx: Context, provider: StoredProvider): Promise<MailProvider | null> {
  const { id, kind } = provider;
  try {
    return { id, kind, health: provider, transport: transportOf(provider, await openSecret(ctx, provider)) };
  } catch {
    // Nothing of the error is logged: it may repeat a part of the configuration.
    ctx.log.warn({ providerId: id, kind }, 'the configuration of a mail provider cannot be read');
    return null;
  }
}

async function attempt(
  ctx: Context,
  { id, kind, transport }: { id: string | null; kind: string; transport: MailTransport },
  mail: OutgoingMail,
  log: HandoverLog,
): Promise<Handover> {
  const number = await log.started({ id, kind });
  const begun = performance.now();
  const sent = await transport.send(ctx, mail, TIMEOUT_MS);
  const handover = {
    ...sent,
    providerId: id,
    providerKind: kind,
    durationMs: Math.round(performance.now() - begun),
    isIdempotent: transport.isIdempotent,
  };
  await log.ended(number, handover);
  return handover;
}
