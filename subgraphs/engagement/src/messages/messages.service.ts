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
  forgetMessages as forget,
  listedMessages,
  memberMessages,
  messageById,
  messageCountByMember,
  messagesPage,
} from './messages.store.ts';
import { keepContent, keptContentById } from './new-messages.store.ts';

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

/** What a message says before it is filled in. */
export interface MessageContent {
  /** Of a mail, or of a web push. */
  readonly content: Content | NotificationContent;
  readonly data: Record<string, unknown>;
}

/**
 * The version of the template, or the own content, that each message was accepted with; messages without
 * content, such as those to erased members, are left out.
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

/** Contents that several messages of a call have are read once. */
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

/** Which contents this process has written, and on which day; retention leaves what was used lately. */
const written = new LRUCache<string, number>({ max: 10_000 });

/** How contents are told apart. */
const INDEX = 'message.shared-content';

/**
 * Keeps what many messages say once, for as long as messages are queued with it; the same content has the
 * same id. It stays also where the caller's transaction does not.
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

/** Null once retention has deleted it. */
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
