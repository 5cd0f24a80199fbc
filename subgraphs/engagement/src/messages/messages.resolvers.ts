import { connection } from '@loyalty/platform/database/pages';
import type {
  MemberResolvers,
  MessageResolvers,
  MessageSourceResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { findMessageTemplate } from '../templates/templates.service.ts';
import { setSendingStopped } from './emergency-stop.service.ts';
import { attemptsOf } from './message-events.service.ts';
import { messageReasons } from './message-reasons.ts';
import {
  findMessage,
  listMemberMessages,
  listMessages,
  recipientOf,
  renderedMessage,
} from './messages.service.ts';
import { eventsByMessage, messageById } from './messages.store.ts';
import { sendTransactional } from './transactional.service.ts';

export const Query = {
  message: (_, { id }, ctx) => findMessage(ctx, id),
  messages: async (_, args, ctx) => connection(await listMessages(ctx, args)),
  messageReasons: () => messageReasons.map((reason) => ({ ...reason, statuses: [...reason.statuses] })),
} satisfies QueryResolvers;

export const Member = {
  messages: async ({ id }, args, ctx) => connection(await listMemberMessages(ctx, id, args)),
} satisfies MemberResolvers;

export const Message = {
  __resolveReference: ({ id }, ctx) => ctx.load(messageById, id),
  source: ({ sourceKind: kind, sourceId: id, nodeId, variant }) =>
    kind && id ? { kind, id, nodeId: nodeId ?? '', variant } : null,
  member: ({ memberId }) => (memberId ? { id: memberId } : null),
  recipient: (message, _, ctx) => recipientOf(ctx, message),
  template: ({ templateId }, _, ctx) => (templateId ? findMessageTemplate(ctx, templateId) : null),
  attempts: async ({ id }, _, ctx) => [...(await attemptsOf(ctx, id))],
  events: async ({ id }, _, ctx) => (await ctx.load(eventsByMessage, id)) ?? [],
  rendered: (message, _, ctx) => renderedMessage(ctx, message),
} satisfies MessageResolvers;

export const MessageSource = {
  nodeId: ({ nodeId }) => nodeId || null,
} satisfies MessageSourceResolvers;

export const Mutation = {
  sendTransactional: (_, { input }, ctx) => sendTransactional(ctx, input),
  setSendingStopped: (_, { stopped }, ctx) => setSendingStopped(ctx, stopped),
} satisfies MutationResolvers;
