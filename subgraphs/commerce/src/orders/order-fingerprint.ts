import { hash } from 'node:crypto';

/**
 * The fields of an order that its fingerprint covers. Amounts are minor units as text, instants are ISO 8601.
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
  /** JSON text with keys in a fixed order. */
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
