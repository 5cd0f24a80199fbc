import { connection } from '@loyalty/platform/loading/pages';
import type { QueryResolvers } from '#generated/schema';
import { findMailboxMessage, listMailboxMessages } from './mailbox.service.ts';

export const Query = {
  mailboxMessages: async (_, args, ctx) => connection(await listMailboxMessages(ctx, args)),
  mailboxMessage: (_, { id }, ctx) => findMailboxMessage(ctx, id),
} satisfies QueryResolvers;
