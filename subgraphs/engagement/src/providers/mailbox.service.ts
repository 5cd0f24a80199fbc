import { forbidden } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import {
  insertMailboxMessage,
  type MailboxMessage,
  mailboxMessageById,
  mailboxPage,
} from './mailbox.store.ts';

/** What is kept of a message: what its recipient would see. */
export type KeptMail = Omit<MailboxMessage, 'createdAt'>;

/** Keeps a message; one that is kept already stays as it is. */
export const keepInMailbox = (ctx: Context, mail: KeptMail): Promise<void> => insertMailboxMessage(ctx, mail);

/**
 * Mail of the development mailbox, newest first.
 *
 * @throws AppError MAILBOX_NOT_AVAILABLE (403) in production, VALIDATION_FAILED (400)
 */
export async function listMailboxMessages(ctx: Context, args: PageArgs): Promise<Page<MailboxMessage>> {
  refuseInProduction(ctx);
  return mailboxPage(ctx.forLists(), pageRequest(args));
}

/**
 * One mail of the development mailbox; null if there is none.
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
