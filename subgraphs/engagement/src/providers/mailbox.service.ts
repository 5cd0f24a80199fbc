import { forbidden } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import {
  insertMailboxMessage,
  type MailboxMessage,
  mailboxMessageById,
  mailboxPage,
} from './mailbox.store.ts';

/** A message of the mailbox: the parts that its recipient would see. */
export type KeptMail = Omit<MailboxMessage, 'createdAt'>;

/** Stores a message. Has no effect on a message that is stored already. */
export const storeInMailbox = (ctx: Context, mail: KeptMail): Promise<void> =>
  insertMailboxMessage(ctx, mail);

/**
 * Lists mails of the development mailbox, newest first.
 *
 * @throws AppError MAILBOX_NOT_AVAILABLE (403) in production, VALIDATION_FAILED (400)
 */
export async function listMailboxMessages(ctx: Context, args: PageArgs): Promise<Page<MailboxMessage>> {
  refuseInProduction(ctx);
  return mailboxPage(ctx.forLists(), pageRequest(args));
}

/**
 * Returns a mail of the development mailbox, or null.
 *
 * @throws AppError MAILBOX_NOT_AVAILABLE (403) in production
 */
export async function findMailboxMessage(ctx: Context, id: string): Promise<MailboxMessage | null> {
  refuseInProduction(ctx);
  return mailboxMessageById(ctx, id);
}

function refuseInProduction(ctx: Context): void {
  if (!ctx.services.config.isProduction) return;
  throw forbidden('MAILBOX_NOT_AVAILABLE', 'There is no development mailbox in production.');
}
