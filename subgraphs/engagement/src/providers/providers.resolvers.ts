import { connection } from '@loyalty/platform/database/pages';
import type {
  EmailProviderHealthResolvers,
  EmailProviderResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import {
  addEmailProvider,
  listEmailProviders,
  noticeUrl,
  removeEmailProvider,
  reorderEmailProviders,
  updateEmailProvider,
} from './email-providers.service.ts';
import { findMailboxMessage, listMailboxMessages } from './mailbox.service.ts';
import { figuresOfProvider, stateOf } from './provider-health.service.ts';
import { testEmailProvider } from './send-mail.service.ts';

export const Query = {
  emailProviders: (_, __, ctx) => listEmailProviders(ctx),
  mailboxMessages: async (_, args, ctx) => connection(await listMailboxMessages(ctx, args)),
  mailboxMessage: (_, { id }, ctx) => findMailboxMessage(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  addEmailProvider: (_, { input }, ctx) => addEmailProvider(ctx, input),
  updateEmailProvider: (_, { id, input }, ctx) => updateEmailProvider(ctx, id, input),
  removeEmailProvider: (_, { id }, ctx) => removeEmailProvider(ctx, id),
  reorderEmailProviders: (_, { ids }, ctx) => reorderEmailProviders(ctx, ids),
  testEmailProvider: (_, { id, to }, ctx) => testEmailProvider(ctx, id, to),
} satisfies MutationResolvers;

export const EmailProvider = {
  fromAddress: ({ config }) => config.fromAddress,
  fromName: ({ config }) => config.fromName,
  health: (provider) => provider,
  figures: ({ id }, { hours }, ctx) => figuresOfProvider(ctx, id, hours ?? 24),
  noticeUrl: ({ id, isTerminal }, _, ctx) => (isTerminal ? null : noticeUrl(ctx, id)),
  hasNoticeKey: ({ noticeSecretSealed }) => noticeSecretSealed !== null,
} satisfies EmailProviderResolvers;

export const EmailProviderHealth = {
  state: (provider, _, ctx) => stateOf(provider, ctx.clock.now()),
} satisfies EmailProviderHealthResolvers;
