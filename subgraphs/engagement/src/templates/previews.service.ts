import { checkEmail } from '@loyalty/platform/base/email';
import { AppError, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { checkStorable } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { guardWindow } from '@loyalty/platform/identity/write-guard';
import { findCustomFieldKeys } from '../peers.ts';
import { handOver } from '../providers/send-mail.service.ts';
import type { TemplateFormat } from './compile-source.ts';
import { exampleMember, memberVariables } from './member-variables.service.ts';
import { type Content, RenderError } from './render.ts';
import { renderMessage } from './render-messages.ts';
import { compileFor, getTemplate, getTemplateVersion, type MessageCategory } from './templates.service.ts';

const HOUR_MS = 3_600_000;
const TESTS_PER_HOUR = 60;

/** The recipient and the data of a preview. */
interface Recipient {
  readonly memberId?: string | null | undefined;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
}

interface WantedTemplate extends Recipient {
  readonly id: string;
  readonly number?: number | null | undefined;
}

/**
 * Renders a version of a template for a member.
 *
 * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_VERSION_NOT_FOUND, MEMBER_NOT_FOUND (404), RENDER_FAILED
 * (400), PEER_UNAVAILABLE (503)
 */
export async function previewMessageTemplate(ctx: Context, wanted: WantedTemplate): Promise<Content> {
  const number = wanted.number ?? (await getTemplate(ctx, wanted.id)).version;
  return preview(ctx, await getTemplateVersion(ctx, wanted.id, number), wanted);
}

export interface PreviewMessage {
  readonly subject: string;
  readonly format?: TemplateFormat | null | undefined;
  readonly source: string;
  readonly text?: string | null | undefined;
  readonly category?: MessageCategory | null | undefined;
}

/**
 * Renders unsaved content for a member.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID, RENDER_FAILED (400), MEMBER_NOT_FOUND (404),
 * PEER_UNAVAILABLE (503)
 */
export async function previewMessage(
  ctx: Context,
  { subject, format, source, text, category }: PreviewMessage,
  recipient: Recipient,
): Promise<Content> {
  const written = { subject, format: format ?? 'HTML', source, text: text ?? null };
  return preview(ctx, await compileFor(ctx, category ?? 'TRANSACTIONAL', written), recipient);
}

/** The result of a test. */
export interface MessageTest {
  readonly isAccepted: boolean;
  readonly error: string | null;
}

/**
 * Sends a preview to an address. Neither message nor address is stored; the audit log only records that a
 * test was sent.
 *
 * @throws AppError as `previewMessageTemplate`; VALIDATION_FAILED (400), RATE_LIMITED (429),
 * GUARD_UNAVAILABLE (503)
 */
export async function testMessageTemplate(
  ctx: Context,
  to: string,
  wanted: WantedTemplate,
): Promise<MessageTest> {
  const address = checkEmail('to', to);
  const { workspaceId } = ctx.scope;
  const subject = ctx.caller.actor;
  const limit = TESTS_PER_HOUR;
  await guardWindow(ctx, { workspaceId, subject, guard: 'test-mail', windowMs: HOUR_MS, limit });
  const content = await previewMessageTemplate(ctx, wanted);
  const messageId = newId(ctx.clock);
  const mail = {
    ...content,
    messageId,
    idempotencyKey: messageId,
    to: address,
    subject: `[Test] ${content.subject}`,
    headers: {},
  };
  const { outcome, error } = await handOver(ctx, mail, NOT_LOGGED);
  const after = { outcome };
  await audit(ctx, {
    action: 'testMessageTemplate',
    resourceType: 'MessageTemplate',
    resourceId: wanted.id,
    after,
  });
  return { isAccepted: outcome === 'ACCEPTED', error };
}

/** A test is not a message of a member, so its attempts are not stored. */
const NOT_LOGGED = { started: async () => 0, ended: async () => undefined };

/**
 * Renders compiled content for a member.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), RENDER_FAILED (400), PEER_UNAVAILABLE (503)
 */
export async function preview(
  ctx: Context,
  content: Content,
  { memberId, data }: Recipient,
): Promise<Content> {
  checkStorable('data', data ?? {});
  const member = memberId ? await memberOf(ctx, memberId) : exampleMember(await findCustomFieldKeys(ctx));
  const urls = { unsubscribeUrl: '#unsubscribe', preferencesUrl: '#preferences' };
  try {
    return await renderMessage(ctx, content, { member, data: data ?? {}, ...urls });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const { message, line, column } = error;
    throw new AppError('BAD_USER_INPUT', 'RENDER_FAILED', message, { line, column });
  }
}

async function memberOf(ctx: Context, id: string): Promise<Readonly<Record<string, unknown>>> {
  const found = (await memberVariables(ctx, [id])).get(id);
  if (!found) throw notFound('member', id);
  return found.member;
}
