import { unavailable } from '@loyalty/platform/errors';
import type { Config } from '@loyalty/platform/operations/config';
import { sandboxPayments } from './sandbox.ts';
import { stripePayments } from './stripe.ts';

export type PaymentProvider = 'STRIPE' | 'SANDBOX';

/** What a provider must know to take a payment. */
export interface Payable {
  readonly id: string;
  readonly workspaceId: string;
  readonly usdCents: number;
  readonly credits: bigint;
}

/** A payment that the provider has begun. */
export interface OpenedPayment {
  /** The provider's name for it. */
  readonly reference: string;
  /** Where the owner pays; null where there is nothing left to do. */
  readonly checkoutUrl: string | null;
  readonly isPaid: boolean;
}

/** What a provider tells of a deposit. */
export interface PaymentEvent {
  readonly outcome: 'PAID' | 'EXPIRED';
  readonly reference: string;
  readonly workspaceId: string;
  readonly depositId: string;
  /** In the smallest unit of the currency. */
  readonly amount: number | null;
  /** ISO 4217, in lower case. */
  readonly currency: string | null;
}

/** How money is taken, whoever takes it. */
export interface PaymentPort {
  readonly provider: PaymentProvider;
  /** Begins the payment of a deposit; begun again, it is the same one. */
  open(deposit: Payable): Promise<OpenedPayment>;
  /**
   * What an event says; null where it is not about a deposit.
   *
   * @param at - when it was received; a signature that is older than 300 s is refused
   * @throws AppError SIGNATURE_INVALID (400)
   */
  verify(payload: string, signature: string, at: Date): PaymentEvent | null;
}

/** Connections to a provider are kept as long as the settings that they were made from. */
const ports = new WeakMap<Config, PaymentPort>();

/**
 * The provider of this installation: Stripe where it is set up, else a sandbox that pays by itself, which
 * production never has.
 *
 * @throws AppError PAYMENTS_NOT_CONFIGURED (503)
 */
export function paymentPort(config: Config): PaymentPort {
  const kept = ports.get(config);
  if (kept) return kept;
  const port = choosePort(config);
  ports.set(config, port);
  return port;
}

function choosePort(config: Config): PaymentPort {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = config;
  if (STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET) {
    return stripePayments({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiUrl: STRIPE_API_URL,
      publicUrl: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
    });
  }
  if (!config.isProduction) return sandboxPayments;
  throw unavailable(
    'PAYMENTS_NOT_CONFIGURED',
    'This installation takes no payments yet. Ask its operator to set up a payment provider.',
  );
}
