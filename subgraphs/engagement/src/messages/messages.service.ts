import { DAY_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import { maskEmail } from '@loyalty/platform/base/masks';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { LRUCache } from 'lru-cache';
import { memberVariables } from '../templates/member-variables.service.ts';
import { type Content, type NotificationContent, RenderError } from '../templates/render.ts';
import { renderMessage } from '../templates/render-messages.ts';
import { templateToSend } from '../templates/templates.service.ts';
import type { Message, MessageFilter, SealedMessage } from './message.ts';
import {
  messageKeys,
  openContent,
  openData,
  openRecipient,
  openShared,
  sealShared,
} from './message-personal.ts';
import {
  eraseMessages as eraseContents,
  listedMessages,
  memberMessages,
  messageById,
  messageCountByMember,
  messagesPage,
} from './messages.store.ts';
import { keepContent, keptContentById } from './new-messages.store.ts';

const MEMBER_PAGE_SIZE = 10;

/** Returns a message with its unmasked recipient, or null if the workspace has no such message. */
export async function findMessage(ctx: Context, id: string): Promise<Message | null> {
  const message = await ctx.load(messageById, id);
  return message && { ...message, isUnmasked: true };
}

/**
 * Lists the message log, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listMessages = (ctx: Context, args: PageArgs & MessageFilter): Promise<Page<Message>> =>
  messagesPage(ctx.forLists(), pageRequest(args), args);

/** Lists a member's messages, newest first. Batched by member. */
export async function listMemberMessages(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Message>> {
  const request = pageRequest(args, MEMBER_PAGE_SIZE);
  const rows = await memberMessages(ctx.forLists(), memberId, request);
  return page(request, rows, async () => (await ctx.forLists().load(messageCountByMember, memberId)) ?? 0);
}

/** Returns the recipient's address: unmasked for a single message, masked in lists. */
export async function recipientOf(ctx: Context, message: Message): Promise<string | null> {
  const address = openRecipient(await messageKeys(ctx), message);
  return address && !message.isUnmasked ? maskEmail(address) : address;
}

/** Replaces the unsubscribe link, so that a reader in the back office does not unsubscribe the recipient. */
const NO_LINK = '#';

/**
 * Renders a message again with current data. Returns null after the member's erasure, and if rendering fails.
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

/** Erases contents and addresses of messages to an erased member. */
export const eraseMessages = (ctx: Context, memberId: string): Promise<void> => eraseContents(ctx, memberId);

/** Lists the messages to a member, for an export of the member's data. */
export const exportedMessages = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  listedMessages(ctx, memberId);

/** The content of a message before rendering. */
export interface MessageContent {
  /** Content of a mail or a web push. */
  readonly content: Content | NotificationContent;
  readonly data: Record<string, unknown>;
}

/**
 * Returns the content of each message: the version of the template with which it was accepted, or its own
 * content. Messages without content, such as those to erased members, are omitted.
 */
export async function contentsOf(
  ctx: Context,
  keys: WorkspaceKeyring,
  messages: readonly SealedMessage[],
): Promise<ReadonlyMap<string, MessageContent>> {
  const known = new Map<string, Found>();
  const opened = new Map<string, MessageContent>();
  for (const message of messages) {
    const data = openData(keys, message);
    const content = data && (await contentOf(ctx, keys, message, known));
    if (content) opened.set(message.id, { content, data });
  }
  return opened;
}

/** A content that several messages of a call share is read once. */
type Found = Promise<Content | NotificationContent | null>;

function contentOf(
  ctx: Context,
  keys: WorkspaceKeyring,
  message: SealedMessage,
  known: Map<string, Found>,
): Found | Content | null {
  const { templateId, templateVersion, contentId } = message;
  if (templateId === null && contentId === null) return openContent(keys, message);
  const key = contentId ?? `${templateId} ${templateVersion}`;
  const found =
    known.get(key) ??
    (contentId ? sharedContent(ctx, contentId) : findVersion(ctx, templateId!, templateVersion ?? undefined));
  known.set(key, found);
  return found;
}

async function findVersion(ctx: Context, id: string, version?: number): Promise<Content | null> {
  try {
    return await templateToSend(ctx, id, version);
  } catch (error) {
    if (error instanceof AppError && error.category === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * The contents that this process has written, with the day. Retention keeps contents that were used lately.
 */
const written = new LRUCache<string, number>({ max: 10_000 });

/** Context of the blind index of contents. */
const INDEX = 'message.shared-content';

/**
 * Stores a content that many messages share, and returns its id. The same content has the same id. It is kept
 * while messages are queued with it. It is stored outside the caller's transaction, and stays after a
 * rollback.
 */
export async function shareContent(ctx: Context, content: Content | NotificationContent): Promise<string> {
  const keys = await messageKeys(ctx);
  const text = JSON.stringify(content);
  const id = uuidOf(keys.index(text, INDEX));
  const key = `${ctx.scope.workspaceId} ${id}`;
  const day = Math.floor(ctx.clock.now().getTime() / DAY_MS);
  if (written.get(key) === day) return id;
  await keepContent(ctx.outsideTransaction(), { id, contentSealed: sealShared(keys, text) });
  written.set(key, day);
  return id;
}

/** Returns a shared content, or null if it was pruned. */
async function sharedContent<C extends Content | NotificationContent>(
  ctx: Context,
  id: string,
): Promise<C | null> {
  const found = await ctx.load(keptContentById, id);
  return found && (JSON.parse(openShared(await messageKeys(ctx), found)) as C);
}

/** The first 16 bytes of a blind index, as a UUID of version 8 (RFC 9562, section 5.8). */
function uuidOf(index: string): string {
  const bytes = Buffer.from(index, 'base64url').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
