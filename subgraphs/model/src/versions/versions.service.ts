import { createHash } from 'node:crypto';
import { administratorOf } from '@loyalty/platform/base/caller';
import { type AppError, conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import { standardTrainer } from '../pipelines/trainer.ts';
import {
  isTraining,
  type ModelVersion,
  VERSION_NOUN,
  type VersionKind,
  wrongState,
} from './model-version.ts';
import { checkUpload, type VersionUpload } from './upload.ts';
import { noteVersionEvent } from './version-events.service.ts';
import { ATTEMPTS_CHANNEL } from './versions.events.ts';
import {
  deleteVersionRows,
  findByContent,
  findSamples,
  findVersion,
  insertVersion,
  isSecondProposal,
  lockVersion,
  markCancelled,
  markQueued,
  markStatus,
  versionById,
  versionsPage,
} from './versions.store.ts';

const LISTED = 30;

/** The name of a version: REST includes its kind. */
export interface VersionName {
  readonly id: string;
  /** Null for either kind. */
  readonly kind?: VersionKind | null | undefined;
}

/**
 * Stores samples and creates a version of them. The same samples and configuration return the version that
 * the first upload created, whatever their line ends.
 *
 * @param upload.content - CSV, 1 byte to 2 MiB
 * @param upload.horizon - days, 1 to 730
 * @throws AppError CONFIRMATION_REQUIRED, VALIDATION_FAILED (400) with the issues of the samples,
 *   UPLOAD_TOO_LARGE (413)
 * @remarks Source: model API, sections 2 to 4 "Training"; requirements M-TRN-04 to -13, -28, -31, M-ALN-01 to
 *   -05
 */
export async function uploadVersion(
  ctx: Context,
  upload: VersionUpload,
  trainer = standardTrainer,
): Promise<{ readonly version: ModelVersion; readonly reused: boolean }> {
  const checked = checkUpload(upload, ctx.clock.now(), trainer);
  const known = await findByContent(ctx, checked.formerKey);
  if (known) return { version: known, reused: true };
  const { kind, subject, origin, horizon, content, baseId = null } = upload;
  const id = newId(ctx.clock);
  const administrator = administratorOf(ctx.caller);
  const isNew = await ctx.transaction(async (tx) => {
    const version = {
      id,
      kind,
      subject,
      origin,
      source: 'UPLOAD',
      horizon,
      content,
      baseId,
      administrator,
    } as const;
    if (!(await insertVersion(tx, { ...version, ...checked }))) return false;
    const message = `${checked.sampleCount} samples were uploaded.`;
    await noteVersionEvent(tx, version, 'uploaded', { message, after: { subject, origin } });
    return true;
  });
  const version = isNew ? await findVersion(ctx, id, kind) : await findByContent(ctx, checked.contentKey);
  if (!version) throw conflict('VERSION_DELETED', 'The version was deleted meanwhile. Upload it again.');
  return { version, reused: !isNew };
}

/**
 * Creates a version of an alignment whose samples are the history of the workspace's own members, before its
 * first attempt.
 */
export async function createFromHistory(
  tx: Context,
  about: Pick<ModelVersion, 'subject' | 'name' | 'horizon' | 'administrator'>,
): Promise<ModelVersion> {
  const id = newId(tx.clock);
  const origin = tx.scope.mode === 'TEST' ? 'TEST' : 'LIVE';
  const version = { ...about, id, origin, kind: 'ALIGNMENT', source: 'OWN_HISTORY' } as const;
  const none = { ruleVersion: null, definition: null, baseId: null, sampleCount: 0, content: null };
  await insertVersion(tx, { ...version, ...none, contentKey: createHash('sha256').update(id).digest() });
  const message = 'A proposal from own history was asked for.';
  await noteVersionEvent(tx, version, 'proposed', { message, after: { subject: about.subject } });
  return getVersion(tx, version);
}

/** Returns the version of this id, or null. */
export const versionOrNull = (ctx: Context, { id, kind }: VersionName): Promise<ModelVersion | null> =>
  findVersion(ctx, id, kind ?? null);

/**
 * Returns the version of this id.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404)
 */
export async function getVersion(ctx: Context, name: VersionName): Promise<ModelVersion> {
  const found = await versionOrNull(ctx, name);
  if (!found) throw notFound('model version', name.id);
  return found;
}

/**
 * Returns versions of a kind, newest first; 30 by default.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listVersions = (ctx: Context, kind: VersionKind, args: PageArgs): Promise<Page<ModelVersion>> =>
  versionsPage(ctx, kind, pageRequest(args, LISTED));

/** Loads versions of either kind, for lists of objects that refer to them. */
export const loadVersion = (ctx: Context, id: string): Promise<ModelVersion | null> =>
  ctx.load(versionById, id);

/** Returns the samples of a version, as CSV; null if they were erased. */
export const samplesOf = (ctx: Context, id: string): Promise<string | null> => findSamples(ctx, id);

/**
 * Locks a version, changes it, and returns the changed version.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404)
 */
export const changeVersion = (
  ctx: Context,
  { id, kind }: VersionName,
  change: (tx: Context, version: ModelVersion) => Promise<void>,
): Promise<ModelVersion> =>
  ctx.transaction(async (tx) => {
    const version = await lockVersion(tx, id, kind ?? null);
    if (!version) throw notFound('model version', id);
    await change(tx, version);
    const changed = (await findVersion(tx, id, null)) ?? version;
    (isTraining(changed) ? publishProgress : publishEnd)(tx, VERSION_NOUN, id);
    return changed;
  });

/**
 * Queues an attempt: a worker trains and evaluates the version. Reports of earlier attempts are stale from
 * then on.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) while it is queued, running or
 *   published, SAMPLES_ERASED, PROPOSAL_RUNNING (409)
 * @remarks Source: model API, section 3; requirement M-TRN-15
 */
export async function startVersion(ctx: Context, name: VersionName): Promise<ModelVersion> {
  const started = await changeVersion(ctx, name, async (tx, version) => {
    if (isTraining(version) || version.status === 'PUBLISHED') throw wrongState(version, 'started');
    if (version.source === 'UPLOAD' && (await findSamples(tx, version.id)) === null) throw samplesErased();
    await markQueued(tx, version.id);
    const attempt = version.attempt + 1;
    await noteVersionEvent(tx, version, 'queued', {
      message: `Attempt ${attempt} is queued.`,
      after: { attempt },
    });
  }).catch((error: unknown) => {
    throw isSecondProposal(error) ? proposalRunning() : error;
  });
  await ctx.services.live.publish(ATTEMPTS_CHANNEL, started.id);
  return started;
}

const proposalRunning = (): AppError =>
  conflict('PROPOSAL_RUNNING', 'A proposal for this target is being computed. Wait for it, or cancel it.');

/** Changes the status of a version inside `changeVersion`. */
export const setStatus = markStatus;

const samplesErased = () =>
  conflict('SAMPLES_ERASED', 'The samples went with a member who was erased. Upload new ones.');

/**
 * Stops the attempt that is queued or runs. Its results are discarded; the worker stops within a second.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) unless it is queued or runs
 * @remarks Source: model API, section 3; requirement M-TRN-16
 */
export const cancelVersion = (ctx: Context, name: VersionName): Promise<ModelVersion> =>
  changeVersion(ctx, name, async (tx, version) => {
    if (!isTraining(version)) throw wrongState(version, 'cancelled');
    await markCancelled(tx, version.id);
    await noteVersionEvent(tx, version, 'cancelled', {
      message: `Attempt ${version.attempt} was cancelled.`,
      after: { attempt: version.attempt },
    });
  });

/**
 * Deletes a version with its samples, reports and artifacts, and returns the deleted version.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) while it is queued, running or
 *   published
 * @remarks Source: model API, section 3; requirement M-TRN-23
 */
export const deleteVersion = (ctx: Context, name: VersionName): Promise<ModelVersion> =>
  changeVersion(ctx, name, async (tx, version) => {
    if (isTraining(version) || version.status === 'PUBLISHED') throw wrongState(version, 'deleted');
    await deleteVersionRows(tx, version.id);
    await noteVersionEvent(tx, version, 'deleted', { message: `“${version.name}” was deleted.` });
  });

/**
 * Yields the version now and after each change, until it is neither queued nor running.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404)
 */
export async function watchVersion(ctx: Context, id: string): Promise<AsyncIterableIterator<ModelVersion>> {
  await getVersion(ctx, { id });
  return watchSnapshot<ModelVersion>(ctx, {
    noun: VERSION_NOUN,
    id,
    read: (reading) => findVersion(reading, id, null),
    isEnded: (version) => !isTraining(version),
  });
}
