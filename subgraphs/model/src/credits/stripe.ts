import { SECOND_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import Stripe from 'stripe';
import type { Payable, PaymentEvent, PaymentPort } from './payment-port.ts';

/** Timeout of one try; there are at most two. */
const TIMEOUT_MS = 10 * SECOND_MS;
const RETRIES_MAX = 1;

/** An event with an older signature may be a replay. */
const TOLERANCE_SECONDS = 300;

interface StripeSettings {
  readonly secretKey: string;
  /** The secret that signs the events. */
  readonly webhookSecret: string;
  readonly apiUrl: string;
  /** The address to which owners return after the payment. */
  readonly publicUrl: string;
}

/**
 * Takes payments on the pages of Stripe Checkout. The page's metadata contain workspace and deposit, and its
 * events return both, so that an event that arrives before the answer of `open` still finds its deposit.
 */
export function stripePayments(settings: StripeSettings): PaymentPort {
  const { protocol, hostname, port } = new URL(settings.apiUrl);
  const stripe = new Stripe(settings.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
  });
  return {
    provider: 'STRIPE',
    async open(deposit) {
      const page = pageFor(deposit, settings.publicUrl);
      const session = await stripe.checkout.sessions.create(page, { idempotencyKey: deposit.id });
      return { reference: session.id, checkoutUrl: session.url, isPaid: false };
    },
    verify(payload, signature, at) {
      const { webhookSecret } = settings;
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(
          payload,
          signature,
          webhookSecret,
          TOLERANCE_SECONDS,
          undefined,
          at.getTime(),
        );
      } catch {
        throw invalid('signature', 'does not fit the payload, or is too old', 'SIGNATURE_INVALID');
      }
      return paymentEventOf(event);
    },
  };
}

function pageFor(deposit: Payable, publicUrl: string): Stripe.Checkout.SessionCreateParams {
  const { id, workspaceId, usdCents, credits } = deposit;
  const back = (payment: string) => `${publicUrl.replace(/\/+$/, '')}/wallet?payment=${payment}`;
  return {
    mode: 'payment',
    client_reference_id: id,
    metadata: { loyalty_workspace_id: workspaceId, loyalty_deposit_id: id },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: usdCents,
          product_data: { name: `${credits.toLocaleString('en')} credits` },
        },
      },
    ],
    // A payment in another currency could not be compared with the deposit's amount.
    adaptive_pricing: { enabled: false },
    success_url: back('done'),
    cancel_url: back('cancelled'),
  };
}

function paymentEventOf(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'checkout.session.completed':
      // Bank transfers complete the page long before the money arrives.
      return event.data.object.payment_status === 'paid' ? about(event.data.object, 'PAID') : null;
    case 'checkout.session.async_payment_succeeded':
      return about(event.data.object, 'PAID');
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return about(event.data.object, 'EXPIRED');
    default:
      return null;
  }
}

function about(session: Stripe.Checkout.Session, outcome: PaymentEvent['outcome']): PaymentEvent | null {
  const { loyalty_workspace_id: workspaceId, loyalty_deposit_id: depositId } = session.metadata ?? {};
  if (!workspaceId || !depositId || !isUuid(workspaceId) || !isUuid(depositId)) return null;
  const { id: reference, amount_total: amount, currency } = session;
  return { outcome, reference, workspaceId, depositId, amount, currency };
}
