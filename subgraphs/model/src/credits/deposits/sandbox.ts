import { invalid } from '@loyalty/platform/errors';
import type { PaymentPort } from './payment-port.ts';

/** Pays at once without money. It sends no events, so each one that arrives is forged. */
export const sandboxPayments: PaymentPort = {
  provider: 'SANDBOX',
  open: async ({ id }) => ({ reference: `sandbox:${id}`, checkoutUrl: null, isPaid: true }),
  verify() {
    throw invalid('signature', 'cannot be checked: no payment provider is set up', 'SIGNATURE_INVALID');
  },
};
