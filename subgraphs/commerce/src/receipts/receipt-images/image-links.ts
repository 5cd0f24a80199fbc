import type { LinkKind } from '@loyalty/platform/outbound/signed-links';

/** Links to the pictures of receipts. */
export const imageLinks: LinkKind = { path: 'receipt-images', context: 'receipt.image-link' };
