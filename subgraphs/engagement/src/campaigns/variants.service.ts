import { conflict, forbidden, invalid, notFound } from '@loyalty/platform/base/errors';
import { type Given, given } from '@loyalty/platform/base/input';
import { between, bytesAtMost, givenWith, notEmpty } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { findCustomFieldKeys } from '../peers.ts';
import { checkLiquid, otherNames, refuseUnknown } from '../templates/check-liquid.ts';
import { compileSource } from '../templates/compile-source.ts';
import { checkNotificationContent, NOTIFICATION_PARTS } from '../templates/render.ts';
import { findMessageTemplate } from '../templates/templates.service.ts';
import type { CampaignChannel, CampaignVariant } from './campaign.ts';

const VARIANTS_MAX = 5;
const KEYS = ['A', 'B', 'C', 'D', 'E'] as const;
const KEY = /^[\w-]{1,20}$/;
const WEIGHT_MAX = 1_000;
const SUBJECT_MAX = 300;
const HTML_BYTES_MAX = 512 * 1024;
const PUSH_MODULE = 'web_push';

/** A variant as a client sends it. */
export type WrittenVariant = Given<Omit<CampaignVariant, 'templateVersion'>>;

/** Returns the path of a variant in the request, such as `input.variants[0]`. */
type PathOf = (place: number) => string;

/**
 * Validates the variants of a campaign and completes them: each has a unique key, a weight and content for
 * the channel.
 *
 * @throws AppError VALIDATION_FAILED (400), TEMPLATE_INVALID (400) with line and column, naming the field,
 * TEMPLATE_NOT_FOUND (404), TEMPLATE_ARCHIVED (409), MODULE_DISABLED (403), PEER_UNAVAILABLE (503)
 */
export async function checkVariants(
  ctx: Context,
  channel: CampaignChannel,
  variants: readonly WrittenVariant[],
  pathOf: PathOf = (place) => `input.variants[${place}]`,
): Promise<CampaignVariant[]> {
  if (variants.length < 1 || variants.length > VARIANTS_MAX)
    throw invalid('input.variants', `must be 1 to ${VARIANTS_MAX}`);
  const checked: CampaignVariant[] = [];
  for (const [place, written] of variants.entries()) {
    const path = pathOf(place);
    const variant = given(written);
    const key = variant.key ?? KEYS[place]!;
    if (!KEY.test(key)) throw invalid(`${path}.key`, 'must have 1 to 20 letters, digits, - or _');
    if (checked.some((other) => other.key === key)) throw invalid(`${path}.key`, `must not be ${key} twice`);
    const weight = variant.weight ?? 1;
    if (weight < 1 || weight > WEIGHT_MAX) throw invalid(`${path}.weight`, between(1, WEIGHT_MAX));
    const content = channel === 'EMAIL' ? await checkMail(ctx, path, variant) : checkPush(ctx, path, variant);
    checked.push({ key, weight, ...content });
  }
  return checked;
}

type Content = Omit<CampaignVariant, 'key' | 'weight'>;
type GivenVariant = Partial<CampaignVariant>;

async function checkMail(ctx: Context, path: string, variant: GivenVariant): Promise<Content> {
  refuse(path, variant, NOTIFICATION_PARTS, 'is for notifications only');
  const { templateId, subject, html } = variant;
  if (templateId !== undefined) {
    refuse(path, variant, ['subject', 'html'], 'cannot be combined with templateId');
    await checkTemplate(ctx, path, templateId);
    return { templateId };
  }
  if (subject === undefined && html === undefined)
    throw invalid(`${path}.templateId`, 'must be given, or subject and html instead');
  if (subject === undefined) throw invalid(`${path}.subject`, givenWith('html'));
  if (html === undefined) throw invalid(`${path}.html`, givenWith('subject'));
  return checkInline(ctx, path, subject, html);
}

async function checkTemplate(ctx: Context, path: string, templateId: string): Promise<void> {
  const template = await findMessageTemplate(ctx, templateId);
  if (!template) throw notFound('template', templateId);
  if (template.archivedAt)
    throw conflict('TEMPLATE_ARCHIVED', 'The template is archived. Use another one.', {
      field: `${path}.templateId`,
    });
  if (template.category !== 'MARKETING')
    throw invalid(`${path}.templateId`, 'must be a template of the category MARKETING');
}

async function checkInline(ctx: Context, path: string, written: string, html: string): Promise<Content> {
  const subject = written.trim();
  const [ofSubject, ofHtml] = [`${path}.subject`, `${path}.html`];
  if (subject.length === 0 || subject.length > SUBJECT_MAX || /[\r\n\t]/.test(subject))
    throw invalid(ofSubject, `must have 1 to ${SUBJECT_MAX} characters in one line`);
  if (html.trim().length === 0) throw invalid(ofHtml, notEmpty);
  if (Buffer.byteLength(html) > HTML_BYTES_MAX) throw invalid(ofHtml, bytesAtMost(HTML_BYTES_MAX));
  const inSubject = otherNames(checkLiquid(ofSubject, subject));
  const fields = { source: ofHtml, text: ofHtml };
  const { others } = await compileSource(ctx, { format: 'HTML', source: html, text: null, fields });
  if (inSubject.length + others.source.length > 0) {
    const keys = new Set(await findCustomFieldKeys(ctx));
    refuseUnknown(ofSubject, inSubject, keys);
    refuseUnknown(ofHtml, others.source, keys);
  }
  return { subject, html };
}

function checkPush(ctx: Context, path: string, variant: GivenVariant): Content {
  refuse(path, variant, ['templateId', 'subject', 'html'], 'is for e-mail only');
  const { modules } = ctx.caller;
  if (!modules.includes('*') && !modules.includes(PUSH_MODULE))
    throw forbidden('MODULE_DISABLED', 'The module web_push is off. An admin can switch it on.');
  const { title = '', body, url, icon } = variant;
  const content = { title, body: body ?? null, url: url ?? null, icon: icon ?? null };
  return checkNotificationContent(path, content) as Content;
}

function refuse(
  path: string,
  variant: GivenVariant,
  fields: readonly (keyof CampaignVariant)[],
  rule: string,
): void {
  const other = fields.find((field) => variant[field] !== undefined);
  if (other) throw invalid(`${path}.${other}`, rule);
}
