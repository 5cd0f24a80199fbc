import { invalid } from '@loyalty/platform/base/errors';

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
  /** The provider's id of it. */
  readonly reference: string;
  /** Where the owner pays; null where it is paid already. */
  readonly checkoutUrl: string | null;
  readonly isPaid: boolean;
}

/** What a provider reports about a deposit. */
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
   * Checks and reads an event; null where it is not about a deposit.
   *
   * @param at - when it was received; a signature that is older than 300 s is refused
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
