import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/loading/pages';
import { maskEmail } from '@loyalty/platform/values/masks';
import { memberVariables } from '../rendering/member-variables.service.ts';
import { type Content, RenderError } from '../rendering/render.ts';
import { renderMessage } from '../rendering/render-messages.ts';
import type { Message, MessageFilter } from './message.ts';
import { contentsOf } from './message-content.service.ts';
import { messageKeys, openRecipient } from './message-personal.ts';
import {
  forgetMessages as forget,
  listedMessages,
  memberMessages,
  messageById,
  messageCountByMember,
  messagesPage,
} from './messages.store.ts';

const MEMBER_PAGE_SIZE = 10;

/** One message, whose recipient is shown in full; null when the workspace has none. */
export async function findMessage(ctx: Context, id: string): Promise<Message | null> {
  const message = await ctx.load(messageById, id);
  return message && { ...message, isUnmasked: true };
}

/**
 * A part of the message log, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listMessages = (ctx: Context, args: PageArgs & MessageFilter): Promise<Page<Message>> =>
  messagesPage(ctx.forLists(), pageRequest(args), args);

/** A part of a member's messages, newest first; parts of many members load together. */
export async function listMemberMessages(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Message>> {
  const request = pageRequest(args, MEMBER_PAGE_SIZE);
  const rows = await memberMessages(ctx.forLists(), memberId, request);
  return page(request, rows, async () => (await ctx.forLists().load(messageCountByMember, memberId)) ?? 0);
}

/** The recipient's address: in full where the message was asked for alone, masked in lists. */
export async function recipientOf(ctx: Context, message: Message): Promise<string | null> {
  const address = openRecipient(await messageKeys(ctx), message);
  return address && !message.isUnmasked ? maskEmail(address) : address;
}

/** Nobody who reads a message in the back office unsubscribes its recipient. */
const NO_LINK = '#';

/**
 * The message as it would be rendered now; null after the member's erasure, and where that fails.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function renderedMessage(ctx: Context, message: Message): Promise<Content | null> {
  const { memberId } = message;
  const opened = (await contentsOf(ctx, await messageKeys(ctx), [message])).get(message.id);
  const member = memberId ? (await memberVariables(ctx, [memberId])).get(memberId) : null;
  if (!opened || (memberId && !member)) return null;
  const { content, data } = opened;
  const links = { unsubscribeUrl: NO_LINK, preferencesUrl: NO_LINK };
  const variables = { member: member?.member ?? null, data, ...links };
  try {
    const rendered = await renderMessage(ctx, content, variables);
    if ('subject' in rendered) return rendered;
    const { title, body } = rendered;
    return { subject: title, html: '', text: body ?? '' };
  } catch (error) {
    if (error instanceof RenderError) return null;
    throw error;
  }
}

/** Forgets what messages to an erased member said and where they went. */
export const forgetMessages = (ctx: Context, memberId: string): Promise<void> => forget(ctx, memberId);

/** The messages to a member, for an export of its data. */
export const exportedMessages = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  listedMessages(ctx, memberId);
