import type { Context } from '@loyalty/platform/context';
import { insertWithdrawn } from './consents.store.ts';

/**
 * Members who are enrolled with an unsubscribed address do not consent to mail; no event is published for
 * it.
 */
export const withdrawAtEnrolment = (tx: Context, memberIds: readonly string[]): Promise<void> =>
  insertWithdrawn(tx, memberIds, 'EMAIL_MARKETING', 'unsubscribe');
