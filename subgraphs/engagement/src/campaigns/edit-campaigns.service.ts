import { type AppError, conflict, invalid } from '@loyalty/platform/base/errors';
import { gathered, gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText, given } from '@loyalty/platform/base/input';
import { between, givenWith, notWith } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { checkJourney } from '../journeys/check-journey.service.ts';
import { createJourneyDraft } from '../journeys/journeys.service.ts';
import { checkSegments } from '../segments/segments.service.ts';
import type { Campaign, CampaignChannel, CampaignStatus } from './campaign.ts';
import { auditCampaign, getCampaign, variantsOf } from './campaigns.service.ts';
import { type CampaignContent, deleteDraft, insertCampaign, updateDraft } from './campaigns.store.ts';
import { checkVariants, type WrittenVariant } from './variants.service.ts';

const NAME_MAX = 100;
const SEGMENTS_MAX = 20;
const HOLD_OUT_MAX = 50;
const ATTRIBUTION_MAX = 90;
const ATTRIBUTION_DEFAULT = 7;

type Optional<T> = T | null | undefined;

interface WrittenAudience {
  readonly segmentIds?: Optional<readonly string[]>;
  readonly excludedSegmentIds?: Optional<readonly string[]>;
}

export interface UpdateCampaign extends WrittenAudience {
  readonly name?: Optional<string>;
  readonly variants?: Optional<readonly WrittenVariant[]>;
  readonly holdOutPercent?: Optional<number>;
  readonly attributionDays?: Optional<number>;
}

export interface CreateCampaign extends UpdateCampaign {
  readonly name: string;
  readonly channel: CampaignChannel;
  readonly status?: Optional<CampaignStatus>;
  readonly segmentId?: Optional<string>;
  readonly subject?: Optional<string>;
  readonly html?: Optional<string>;
  readonly journey?: Optional<Record<string, unknown>>;
}

/**
 * Creates a draft. Nothing is sent before it is launched or scheduled.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID, JOURNEY_INVALID (400) naming the field,
 * SEGMENT_NOT_FOUND, TEMPLATE_NOT_FOUND (404), MODULE_DISABLED (403), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4, POST /campaigns; requirement L-CMP-02
 */
export async function createCampaign(ctx: Context, input: CreateCampaign): Promise<Campaign> {
  if (input.status && input.status !== 'DRAFT')
    throw invalid('input.status', 'must be draft: a campaign is launched afterwards');
  const { segmentIds, variants, pathOf } = expandShortForms(input);
  refuseWithJourney(input);
  const journey = input.journey && (await checkJourney(ctx, input.journey, 'input.journey'));
  const content = await checked(ctx, input.channel, { ...input, segmentIds, variants }, pathOf);
  const id = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    const made = journey && (await createJourneyDraft(tx, { name: content.name!, definition: journey }));
    await insertCampaign(tx, {
      ...EMPTY,
      ...content,
      name: content.name!,
      id,
      channel: input.channel,
      journeyId: made?.id ?? null,
    });
    const campaign = await getCampaign(tx, id);
    await auditCampaign(tx, 'createCampaign', campaign);
    return campaign;
  });
}

const EMPTY = {
  segmentIds: [],
  excludedSegmentIds: [],
  variants: [],
  holdOutPercent: 0,
  attributionDays: ATTRIBUTION_DEFAULT,
};

/** Refuses an audience and content together with a journey, which has its own. */
function refuseWithJourney({ journey, ...input }: CreateCampaign): void {
  if (!journey) return;
  const fields = ['segmentId', 'segmentIds', 'excludedSegmentIds', 'variants', 'subject', 'html'] as const;
  const other = fields.find((field) => input[field] != null);
  if (other) throw invalid(`input.${other}`, notWith('journey'));
  if (input.holdOutPercent) throw invalid('input.holdOutPercent', notWith('journey'));
}

/** Expands the short forms for one segment and one variant. */
function expandShortForms(input: CreateCampaign) {
  const { segmentId, subject, html, channel } = input;
  if (segmentId && input.segmentIds) throw invalid('input.segmentId', notWith('segmentIds'));
  const isShort = subject != null || html != null;
  if (isShort && input.variants)
    throw invalid(`input.${subject == null ? 'html' : 'subject'}`, notWith('variants'));
  if (html != null && channel === 'WEB_PUSH') throw invalid('input.html', 'is for e-mail only');
  if (isShort && channel === 'EMAIL' && subject == null) throw invalid('input.subject', givenWith('html'));
  if (isShort && channel === 'EMAIL' && html == null) throw invalid('input.html', givenWith('subject'));
  const short = channel === 'EMAIL' ? { subject, html } : { title: subject };
  return {
    segmentIds: segmentId ? [segmentId] : input.segmentIds,
    variants: isShort ? [short] : input.variants,
    ...(isShort && { pathOf: () => 'input' }),
  };
}

/**
 * Changes a draft. Absent fields do not change.
 *
 * @throws AppError as `createCampaign`; CAMPAIGN_NOT_FOUND (404), CAMPAIGN_NOT_DRAFT (409)
 */
export async function updateCampaign(ctx: Context, id: string, input: UpdateCampaign): Promise<Campaign> {
  const before = await getCampaign(ctx, id);
  refuseUnlessDraft(before);
  if (before.journeyId && (input.variants || input.segmentIds || input.excludedSegmentIds))
    throw invalid(
      `input.${input.variants ? 'variants' : 'segmentIds'}`,
      'cannot be given: the campaign has a journey',
    );
  const content = await checked(ctx, before.channel, input);
  return ctx.transaction(async (tx) => {
    if (!(await updateDraft(tx, id, content))) throw notDraft(await getCampaign(tx, id));
    const after = await getCampaign(tx, id);
    await auditCampaign(tx, 'updateCampaign', after, { name: before.name });
    return after;
  });
}

/** @throws AppError CAMPAIGN_NOT_FOUND (404), CAMPAIGN_NOT_DRAFT (409) */
export async function deleteCampaign(
  ctx: Context,
  id: string,
): Promise<{ readonly id: string; readonly deleted: true }> {
  return ctx.transaction(async (tx) => {
    if (!(await deleteDraft(tx, id))) throw notDraft(await getCampaign(tx, id));
    await audit(tx, { action: 'deleteCampaign', resourceType: 'Campaign', resourceId: id });
    return { id, deleted: true };
  });
}

/**
 * Creates a draft with the audience and content of a campaign.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404), CAMPAIGN_HAS_JOURNEY (409), VALIDATION_FAILED (400)
 */
export async function duplicateCampaign(ctx: Context, id: string, name: string | null): Promise<Campaign> {
  const original = await getCampaign(ctx, id);
  if (original.journeyId)
    throw conflict('CAMPAIGN_HAS_JOURNEY', 'The campaign has a journey. Make a new one of its definition.');
  const copy = newId(ctx.clock);
  const named =
    name === null ? `${original.name.slice(0, NAME_MAX - COPY.length)}${COPY}` : checkName('name', name);
  const variants = await variantsOf(ctx, original);
  return ctx.transaction(async (tx) => {
    await insertCampaign(tx, { ...original, variants, id: copy, name: named });
    const campaign = await getCampaign(tx, copy);
    await auditCampaign(tx, 'duplicateCampaign', campaign, { duplicateOf: id });
    return campaign;
  });
}

const COPY = ' (copy)';

const checkName = (field: string, name: string): string => checkText(field, name, NAME_MAX);

/** Validates the given fields. */
async function checked(
  ctx: Context,
  channel: CampaignChannel,
  input: UpdateCampaign,
  pathOf?: (place: number) => string,
): Promise<Partial<CampaignContent>> {
  const { name, segmentIds, excludedSegmentIds, variants, holdOutPercent, attributionDays } = given(input);
  const read = async () => ({
    ...(await checkAudience(ctx, { segmentIds, excludedSegmentIds })),
    ...(variants && { variants: await checkVariants(ctx, channel, variants, pathOf) }),
  });
  const named = await gatheredWith(
    () =>
      gathered((check) => {
        check(() => checkHoldOut(holdOutPercent));
        check(() => checkCount('input.attributionDays', attributionDays, { min: 1, max: ATTRIBUTION_MAX }));
        return name === undefined ? {} : { name: check(() => checkName('input.name', name)) };
      }),
    read,
  );
  return {
    ...named,
    ...(await read()),
    ...(holdOutPercent !== undefined && { holdOutPercent }),
    ...(attributionDays !== undefined && { attributionDays }),
  };
}

/**
 * Validates the segments of an audience.
 *
 * @throws AppError VALIDATION_FAILED (400), SEGMENT_NOT_FOUND (404)
 */
export async function checkAudience(ctx: Context, audience: WrittenAudience) {
  const checkedIds = async (name: keyof WrittenAudience): Promise<string[] | null> => {
    if (!audience[name]) return null;
    const ids = [...audience[name]];
    if (ids.length > SEGMENTS_MAX)
      throw invalid(`input.${name}`, `must name at most ${SEGMENTS_MAX} segments`);
    await checkSegments(ctx, ids, `input.${name}`);
    return ids;
  };
  const segmentIds = await checkedIds('segmentIds');
  const excludedSegmentIds = await checkedIds('excludedSegmentIds');
  const both = segmentIds?.find((id) => excludedSegmentIds?.includes(id));
  if (both) throw invalid('input.excludedSegmentIds', 'must not name a segment of segmentIds');
  return { ...(segmentIds && { segmentIds }), ...(excludedSegmentIds && { excludedSegmentIds }) };
}

/** @throws AppError VALIDATION_FAILED (400) */
export const checkHoldOut = (percent: number | undefined): void =>
  checkCount('input.holdOutPercent', percent, { min: 0, max: HOLD_OUT_MAX });

function checkCount(
  field: string,
  count: number | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (count !== undefined && (count < min || count > max)) throw invalid(field, between(min, max));
}

function refuseUnlessDraft(campaign: Campaign): void {
  if (campaign.status !== 'DRAFT') throw notDraft(campaign);
}

const notDraft = ({ status }: Campaign): AppError =>
  conflict(
    'CAMPAIGN_NOT_DRAFT',
    `The campaign is ${status.toLowerCase()}: only a draft can be changed or deleted. Duplicate it instead.`,
  );
