import { unavailable } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import { type PaymentPort, sandboxPayments } from './payment-port.ts';

/** Connections to a provider are kept as long as their settings. */
const ports = new WeakMap<Config, Promise<PaymentPort>>();

/**
 * Returns the provider of this installation: Stripe if it is configured; otherwise, except in production, a
 * sandbox that pays by itself.
 *
 * @throws AppError PAYMENTS_NOT_CONFIGURED (503)
 */
export function paymentPort(config: Config): Promise<PaymentPort> {
  const port = ports.get(config) ?? choosePort(config);
  ports.set(config, port);
  return port;
}

async function choosePort(config: Config): Promise<PaymentPort> {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = config;
  if (STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET) {
    const { stripePayments } = await import('./stripe.ts');
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
