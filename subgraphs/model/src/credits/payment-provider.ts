import { unavailable } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import { type PaymentPort, sandboxPayments } from './payment-port.ts';

/** Connections to a provider are kept as long as the settings that they were made from. */
const ports = new WeakMap<Config, Promise<PaymentPort>>();

/**
 * The provider of this installation: Stripe where it is set up, else a sandbox that pays by itself, which
 * production never has.
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
