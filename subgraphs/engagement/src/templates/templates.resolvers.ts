import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  MessageTemplateResolvers,
  MessageTemplateVersionResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { updateMessageTemplate } from './edit-template.service.ts';
import { previewMessage, previewMessageTemplate, testMessageTemplate } from './previews.service.ts';
import {
  archiveMessageTemplate,
  createMessageTemplate,
  currentVersion,
  findMessageTemplate,
  listMessageTemplates,
  listVersions,
  restoreMessageTemplateVersion,
} from './templates.service.ts';

export const Query = {
  messageTemplates: async (_, args, ctx) => connection(await listMessageTemplates(ctx, args)),
  messageTemplate: (_, { id }, ctx) => findMessageTemplate(ctx, id),
  previewMessageTemplate: (_, wanted, ctx) => previewMessageTemplate(ctx, wanted),
  previewMessage: (_, { input, ...recipient }, ctx) => previewMessage(ctx, input, recipient),
} satisfies QueryResolvers;

export const Mutation = {
  createMessageTemplate: (_, { input }, ctx) => createMessageTemplate(ctx, input),
  updateMessageTemplate: (_, { id, input }, ctx) => updateMessageTemplate(ctx, id, input),
  restoreMessageTemplateVersion: (_, { id, number }, ctx) => restoreMessageTemplateVersion(ctx, id, number),
  archiveMessageTemplate: (_, { id }, ctx) => archiveMessageTemplate(ctx, id),
  testMessageTemplate: (_, { to, ...wanted }, ctx) => testMessageTemplate(ctx, to, wanted),
} satisfies MutationResolvers;

export const MessageTemplate = {
  __resolveReference: ({ id }, ctx) => findMessageTemplate(ctx, id),
  version: (template, _, ctx) => currentVersion(ctx, template),
  versions: async (template, args, ctx) => connection(await listVersions(ctx, template, args)),
} satisfies MessageTemplateResolvers;

export const MessageTemplateVersion = {
  createdBy: ({ actor }) => userOf(actor),
} satisfies MessageTemplateVersionResolvers;
