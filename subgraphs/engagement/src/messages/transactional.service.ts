import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { isUuid, newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { findMembers } from '../peers.ts';
import { isSuppressedFor, strongestOf, suppressionOfMember } from '../suppressions/suppressions.service.ts';
import { type MemberVariables, memberVariables } from '../templates/member-variables.service.ts';
import { type Content, RenderError } from '../templates/render.ts';
import { renderMessage } from '../templates/render-messages.ts';
import { compileInline, templateToSend } from '../templates/templates.service.ts';
import { messageKeys, sealContent, sealData, sealRecipient } from './message-personal.ts';
import { addMessages, findKeyedMessage, type KeyedMessage } from './queue-messages.service.ts';
import {
  canonicalText,
  checkKey,
  checkTransactional,
  type SendTransactional,
  type TransactionalRequest,
} from './transactional.input.ts';

/** The result of a request to send. */
export interface TransactionalSend {
  readonly id: string;
  readonly status: 'QUEUED' | 'SUPPRESSED' | 'SIMULATED';
  readonly reused: boolean;
}

const FINGERPRINT = 'message.request';

/**
 * Accepts a message and returns its id. A worker sends it. A repeated request with the same idempotency key
 * returns the result of the first one. Concurrent requests are safe.
 *
 * @throws AppError VALIDATION_FAILED, RENDER_FAILED (400), TEMPLATE_NOT_FOUND, MEMBER_NOT_FOUND (404),
 * IDEMPOTENCY_KEY_REUSED, MEMBER_CLOSED, MEMBER_RESTRICTED, MEMBER_WITHOUT_ADDRESS (409), PEER_UNAVAILABLE
 * (503)
 * @remarks Source: v2 REST API, section 4 "Transactional"; requirements L-TRX-01 to L-TRX-03, L-UNS-08
 */
export async function sendTransactional(ctx: Context, input: SendTransactional): Promise<TransactionalSend> {
  const request = checkTransactional(input);
  const idempotencyKey = checkKey(input.idempotencyKey);
  const keys = await messageKeys(ctx);
  const fingerprints = idempotencyKey ? keys.indexes(canonicalText(request), FINGERPRINT) : [];
  const known = idempotencyKey && (await findKeyedMessage(ctx, idempotencyKey));
  if (known) return reused(known, fingerprints);
  const { content, ...template } = await contentOf(ctx, request);
  const recipient = await recipientOf(ctx, request);
  await checkRenders(ctx, content, request, recipient);
  const id = newId(ctx.clock);
  const reason = await suppressionOf(ctx, recipient, template.category);
  const unsuppressed = ctx.scope.mode === 'TEST' ? 'SIMULATED' : 'QUEUED';
  const status = reason ? 'SUPPRESSED' : unsuppressed;
  const { memberId, emailIndex, address } = recipient;
  const added = await addMessages(ctx, {
    ...template,
    channel: 'EMAIL',
    source: null,
    contentSealed: request.inline && sealContent(keys, content),
    contentId: null,
    status,
    reason,
    fingerprint: fingerprints[0] ?? null,
    recipients: [
      {
        id,
        memberId,
        emailIndex,
        recipientSealed: sealRecipient(keys, address),
        dataSealed: sealData(keys, request.data),
        idempotencyKey,
      },
    ],
  });
  if (added === 0) return reused((await findKeyedMessage(ctx, idempotencyKey!))!, fingerprints);
  return { id, status, reused: false };
}

function reused(known: KeyedMessage, fingerprints: readonly string[]): TransactionalSend {
  if (!known.fingerprint || !fingerprints.includes(known.fingerprint))
    throw conflict('IDEMPOTENCY_KEY_REUSED', 'The idempotency key was used for another message.');
  const { id, status, wasQueued } = known;
  const isFinal = !wasQueued && (status === 'SUPPRESSED' || status === 'SIMULATED');
  return { id, status: isFinal ? status : 'QUEUED', reused: true };
}

interface AcceptedContent {
  readonly content: Content;
  readonly templateId: string | null;
  readonly templateVersion: number | null;
  readonly category: 'TRANSACTIONAL' | 'MARKETING';
}

async function contentOf(ctx: Context, request: TransactionalRequest): Promise<AcceptedContent> {
  const { templateId, inline, memberId } = request;
  if (templateId === null) {
    const content = await compileInline(ctx, inline!);
    return { content, templateId, templateVersion: null, category: request.category ?? 'TRANSACTIONAL' };
  }
  if (!isUuid(templateId)) throw notFound('template', templateId);
  const template = await templateToSend(ctx, templateId);
  if (template.category === 'MARKETING' && request.category === 'TRANSACTIONAL')
    throw invalid('input.category', 'must be MARKETING, as that of the template is');
  const category = request.category ?? template.category;
  if (category === 'MARKETING' && memberId === null)
    throw invalid('input.memberId', 'must be given for a marketing message');
  return { content: template, templateId, templateVersion: template.version, category };
}

/** A placeholder: links are made when the message is sent. */
const LATER = 'https://example.com/';

async function checkRenders(
  ctx: Context,
  content: Content,
  { data }: TransactionalRequest,
  { member }: Recipient,
): Promise<void> {
  const links = { unsubscribeUrl: LATER, preferencesUrl: LATER };
  try {
    await renderMessage(ctx, content, { member: member?.member ?? null, data, ...links });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const rule = `does not fill the message in: ${error.message.replace(/\.$/, '')}`;
    throw invalid('input.data', rule, 'RENDER_FAILED');
  }
}

/** Returns the reason why the address receives no messages of the category, or null. */
async function suppressionOf(
  ctx: Context,
  { emailIndexes }: Recipient,
  category: AcceptedContent['category'],
): Promise<string | null> {
  const states = await Promise.all(emailIndexes.map((index) => suppressionOfMember(ctx, index)));
  const reasons = states.flatMap((state) => state?.reasons ?? []);
  return isSuppressedFor(category, reasons) ? strongestOf(reasons) : null;
}

/** The recipient of a message. */
export interface Recipient {
  readonly address: string;
  readonly emailIndex: string;
  /** All indexes under which the address may be stored. */
  readonly emailIndexes: readonly string[];
  /** Also set if an address was given that a member has, so that the member's erasure finds the message. */
  readonly memberId: string | null;
  readonly member: MemberVariables | null;
}

/**
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, MEMBER_RESTRICTED, MEMBER_WITHOUT_ADDRESS (409),
 * PEER_UNAVAILABLE (503)
 */
async function recipientOf(ctx: Context, { to, memberId }: TransactionalRequest): Promise<Recipient> {
  const keys = await messageKeys(ctx);
  if (memberId !== null && !isUuid(memberId)) throw notFound('member', memberId);
  const wanted = to !== null ? { emailIndexes: keys.indexes(to, EMAIL_INDEX) } : { ids: [memberId!] };
  const [found] = await findMembers(ctx, wanted);
  if (memberId !== null && !found) throw notFound('member', memberId);
  if (found?.isRestricted)
    throw conflict('MEMBER_RESTRICTED', `Processing of member ${found.id} is restricted at its request.`);
  if (found?.status === 'DEACTIVATION_PENDING')
    throw conflict('MEMBER_CLOSED', `Member ${found.id} is about to be erased and gets no messages.`);
  const member = found ? ((await memberVariables(ctx, [found.id])).get(found.id) ?? null) : null;
  const address = to ?? member?.email;
  if (!address) throw conflict('MEMBER_WITHOUT_ADDRESS', `Member ${memberId} has no e-mail address.`);
  const emailIndexes = keys.indexes(address, EMAIL_INDEX);
  const emailIndex = found?.emailIndex ?? emailIndexes[0]!;
  return { address, emailIndex, emailIndexes, memberId: found?.id ?? null, member };
}
