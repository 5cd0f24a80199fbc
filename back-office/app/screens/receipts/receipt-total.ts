import type { ReceiptRowFragment } from './generated/receipts.ts';

/** What a receipt says was paid; null where that could not be read. */
export const totalOf = ({ totalMinor, currency }: Pick<ReceiptRowFragment, 'totalMinor' | 'currency'>) =>
  totalMinor == null || currency == null ? null : { amountMinor: totalMinor, currency };
