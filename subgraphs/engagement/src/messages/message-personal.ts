import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import type { Content } from '../templates/render.ts';
import type { SealedMessage } from './message.ts';

/** The sealing context of each part. */
const contexts = {
  recipient: 'message.recipient',
  data: 'message.data',
  content: 'message.content',
  shared: 'message.shared-content',
} as const;

/** Returns the keys that seal the messages of the workspace. */
export const messageKeys = (ctx: Context): Promise<WorkspaceKeyring> =>
  ctx.services.keyring.of(ctx.scope.workspaceId);

export const sealRecipient = (keys: WorkspaceKeyring, address: string): Uint8Array =>
  keys.seal(address, contexts.recipient);

export const sealData = (keys: WorkspaceKeyring, data: Record<string, unknown>): Uint8Array =>
  keys.seal(JSON.stringify(data), contexts.data);

/** @param content - compiled, of a message without a template */
export const sealContent = (keys: WorkspaceKeyring, { subject, html, text }: Content): Uint8Array =>
  keys.seal(JSON.stringify({ subject, html, text }), contexts.content);

type Sealed<Part extends keyof SealedMessage> = Pick<SealedMessage, Part>;

/**
 * Opens the recipient's address. Null before a message to a member is sent, and after the member was erased.
 */
export const openRecipient = (
  keys: WorkspaceKeyring,
  { recipientSealed }: Sealed<'recipientSealed'>,
): string | null => (recipientSealed ? keys.open(recipientSealed, contexts.recipient) : null);

/** Opens the data of a message. Null after the member was erased. */
export const openData = (
  keys: WorkspaceKeyring,
  { dataSealed }: Sealed<'dataSealed'>,
): Record<string, unknown> | null =>
  dataSealed ? (JSON.parse(keys.open(dataSealed, contexts.data)) as Record<string, unknown>) : null;

/** Opens the content of a message. Null for a message with a template, and after the member was erased. */
export const openContent = (
  keys: WorkspaceKeyring,
  { contentSealed }: Sealed<'contentSealed'>,
): Content | null =>
  contentSealed ? (JSON.parse(keys.open(contentSealed, contexts.content)) as Content) : null;

/** @param content - JSON of a content that many messages share */
export const sealShared = (keys: WorkspaceKeyring, content: string): Uint8Array =>
  keys.seal(content, contexts.shared);

export const openShared = (
  keys: WorkspaceKeyring,
  { contentSealed }: { readonly contentSealed: Uint8Array },
): string => keys.open(contentSealed, contexts.shared);
