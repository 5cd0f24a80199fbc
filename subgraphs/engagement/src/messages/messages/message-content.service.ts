import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { AppError } from '@loyalty/platform/errors';
import type { NotificationContent } from '../rendering/notification-content.ts';
import type { Content } from '../rendering/render.ts';
import { templateToSend } from '../templates/templates.service.ts';
import { sharedContent } from './kept-contents.service.ts';
import type { SealedMessage } from './message.ts';
import { openContent, openData } from './message-personal.ts';

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
