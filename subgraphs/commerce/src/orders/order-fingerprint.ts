import { hash } from 'node:crypto';

/**
 * Two orders under one id are the same if all of this is equal. Amounts in minor units as text, instants in
 * ISO 8601.
 */
interface FingerprintedOrder {
  readonly memberId: string | null;
  readonly storeId: string | null;
  readonly couponId: string | null;
  readonly status: string;
  readonly currency: string;
  readonly totalMinor: string;
  readonly subtotalMinor: string | null;
  readonly discountMinor: string | null;
  readonly taxMinor: string | null;
  readonly shippingMinor: string | null;
  readonly occurredAt: string;
  /** As they are stored: JSON text whose keys are always in the same order. */
  readonly items: string;
}

/** SHA-256, as hex, over all fields of an order in a fixed sequence. */
export const orderFingerprint = (order: FingerprintedOrder): string =>
  hash(
    'sha256',
    JSON.stringify([
      order.memberId,
      order.storeId,
      order.couponId,
      order.status,
      order.currency,
      order.totalMinor,
      order.subtotalMinor,
      order.discountMinor,
      order.taxMinor,
      order.shippingMinor,
      order.occurredAt,
      order.items,
    ]),
    'hex',
  );
