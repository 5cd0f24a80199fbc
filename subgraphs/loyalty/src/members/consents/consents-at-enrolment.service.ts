import type { Context } from '@loyalty/platform/context';
import { insertWithdrawn } from './consents.store.ts';

/** Who is enrolled with an unsubscribed address does not consent to mail; no event tells of that apart. */
export const withdrawAtEnrolment = (tx: Context, memberIds: readonly string[]): Promise<void> =>
  insertWithdrawn(tx, memberIds, 'EMAIL_MARKETING', 'unsubscribe');
