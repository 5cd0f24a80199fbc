import { invalid } from '@loyalty/platform/base/errors';

export type PaymentProvider = 'STRIPE' | 'SANDBOX';

/** The data of a payment for the provider. */
export interface Payable {
  readonly id: string;
  readonly workspaceId: string;
  readonly usdCents: number;
  readonly credits: bigint;
}

/** A payment that the provider has begun. */
export interface OpenedPayment {
  /** The provider's id of the payment. */
  readonly reference: string;
  /** The payment page for the owner; null if it is paid already. */
  readonly checkoutUrl: string | null;
  readonly isPaid: boolean;
}

/** A provider's report about a deposit. */
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

/** The interface of all payment providers. */
export interface PaymentPort {
  readonly provider: PaymentProvider;
  /** Begins the payment of a deposit; a second call returns the same payment. */
  open(deposit: Payable): Promise<OpenedPayment>;
  /**
   * Verifies and parses an event; null if it is not about a deposit.
   *
   * @param at - time of receipt; a signature older than 300 s is refused
   * @throws AppError SIGNATURE_INVALID (400)
   */
  verify(payload: string, signature: string, at: Date): PaymentEvent | null;
}

/** Pays at once without money. It sends no events, so each one that arrives is forged. */
export const sandboxPayments: PaymentPort = {
  provider: 'SANDBOX',
  open: async ({ id }) => ({ reference: `sandbox:${id}`, checkoutUrl: null, isPaid: true }),
  verify() {
    throw invalid('signature', 'cannot be checked: no payment provider is set up', 'SIGNATURE_INVALID');
  },
};
