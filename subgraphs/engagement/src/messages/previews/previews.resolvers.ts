import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { previewMessage, previewMessageTemplate, testMessageTemplate } from './previews.service.ts';

export const Query = {
  previewMessageTemplate: (_, wanted, ctx) => previewMessageTemplate(ctx, wanted),
  previewMessage: (_, { input, ...recipient }, ctx) => previewMessage(ctx, input, recipient),
} satisfies QueryResolvers;

export const Mutation = {
  testMessageTemplate: (_, { to, ...wanted }, ctx) => testMessageTemplate(ctx, to, wanted),
} satisfies MutationResolvers;
