import { conflict, notFound } from '@loyalty/platform/base/errors';
import { gatheredWith } from '@loyalty/platform/base/gathered';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { checkJourney } from './check-journey.service.ts';
import { createJourneyDraft, type Journey, journeyEnded } from './journeys.service.ts';
import { changeDraft, deleteDraft, readJourney } from './journeys.store.ts';

const NAME_MAX = 100;
const DEFINITION = 'input.definition';

/**
 * Creates a draft. Its definition is checked as at a launch.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the place, such as `input.definition.nodes[3].next`;
 * PEER_UNAVAILABLE (503)
 */
export async function createJourney(
  ctx: Context,
  input: { readonly name: string; readonly definition: unknown },
): Promise<Journey> {
  const read = () => checkJourney(ctx, input.definition, DEFINITION);
  const name = await gatheredWith(() => checkText('input.name', input.name, NAME_MAX), read);
  const definition = await read();
  return ctx.transaction(async (tx) => {
    const made = await createJourneyDraft(tx, { name, definition });
    await auditJourney(tx, 'createJourney', made);
    return made;
  });
}

/**
 * Changes the name or the draft. Versions and their members do not change.
 *
 * @throws AppError VALIDATION_FAILED (400), JOURNEY_NOT_FOUND (404), JOURNEY_ENDED (409), PEER_UNAVAILABLE
 * (503)
 */
export async function updateJourney(
  ctx: Context,
  id: string,
  input: { readonly name?: string | null | undefined; readonly definition?: unknown },
): Promise<Journey> {
  const name = input.name == null ? null : checkText('input.name', input.name, NAME_MAX);
  const before = await getOwnJourney(ctx, id);
  if (before.status === 'ENDED') throw journeyEnded();
  const draft = input.definition == null ? null : await checkJourney(ctx, input.definition, DEFINITION);
  if (name === null && draft === null) return before;
  return ctx.transaction(async (tx) => {
    const after = await changeDraft(tx, id, { name, draft });
    if (!after) throw journeyEnded();
    await auditJourney(tx, 'updateJourney', after, { name: before.name });
    return after;
  });
}

/**
 * Creates a draft from the draft of another journey, also of an ended one.
 *
 * @throws AppError VALIDATION_FAILED (400), JOURNEY_NOT_FOUND (404)
 */
export async function duplicateJourney(
  ctx: Context,
  id: string,
  wanted: string | null | undefined,
): Promise<Journey> {
  const source = await getOwnJourney(ctx, id);
  const name = checkText('name', wanted ?? `${source.name.slice(0, NAME_MAX - 7)} (copy)`, NAME_MAX);
  return ctx.transaction(async (tx) => {
    const made = await createJourneyDraft(tx, { name, definition: source.draft });
    await auditJourney(tx, 'duplicateJourney', made, { source: id });
    return made;
  });
}

/**
 * Deletes a journey that was never launched.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_DRAFT, JOURNEY_IN_USE (409)
 */
export async function deleteJourney(ctx: Context, id: string): Promise<{ id: string; deleted: true }> {
  const journey = await getOwnJourney(ctx, id);
  return ctx.transaction(async (tx) => {
    if (await deleteDraft(tx, id)) {
      await audit(tx, { action: 'deleteJourney', resourceType: 'Journey', resourceId: id });
      return { id, deleted: true };
    }
    const { status } = await getOwnJourney(tx, id);
    throw status === 'DRAFT'
      ? conflict('JOURNEY_IN_USE', `A campaign has the journey ${journey.name}. Delete that first.`)
      : conflict('JOURNEY_NOT_DRAFT', 'The journey was launched. End it instead.');
  });
}

/**
 * Returns the current journey, but not the journey of an automation. @throws AppError JOURNEY_NOT_FOUND (404)
 */
export async function getOwnJourney(ctx: Context, id: string): Promise<Journey> {
  const found = await readJourney(ctx, id);
  if (found?.kind !== 'JOURNEY') throw notFound('journey', id);
  return found;
}

/** Audits a change. Definitions are stored as versions. */
export function auditJourney(
  tx: Context,
  action: string,
  { id, name, status, version }: Journey,
  before: Readonly<Record<string, unknown>> | null = null,
): Promise<void> {
  return audit(tx, {
    action,
    resourceType: 'Journey',
    resourceId: id,
    before,
    after: { name, status, version },
  });
}
