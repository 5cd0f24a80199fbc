import { type AppError, conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { publish } from '@loyalty/platform/work/events';
import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../estimators/canonical-json.ts';
import type { TrainedArtifact, TrainingOutcome } from '../estimators/training-request.ts';
import { type ModelCard, modelCard } from './model-card.ts';
import type { ModelVersion } from './model-version.ts';
import type { EvaluationReport } from './report.ts';
import {
  findArtifact,
  findReport,
  insertReport,
  markReviewed,
  reportById,
  reportsPage,
} from './reports.store.ts';
import { noteVersionEvent } from './version-events.service.ts';
import { reportReady } from './versions.events.ts';

export { markReviewed };

const LISTED = 20;

/**
 * Saves artifact and report of an attempt, in the transaction that ends it; returns the id of the report.
 *
 * @remarks Source: model API, section 2 "Training version and report"; requirement M-TRN-02
 */
export async function saveReport(
  tx: Context,
  version: Pick<ModelVersion, 'id' | 'kind' | 'subject' | 'attempt'>,
  { passed, reportJson, reportHash, artifactJson, fingerprint }: TrainingOutcome,
): Promise<string> {
  const { id: versionId, kind, subject, attempt } = version;
  const id = newId(tx.clock);
  const hashes = { reportHash, fingerprint };
  const made = { id, kind, versionId, attempt, passed, ...hashes };
  await insertReport(tx, { ...made, report: reportJson, artifact: artifactJson });
  const message = `Attempt ${attempt} ${passed ? 'passed' : 'did not pass'} its evaluation.`;
  await noteVersionEvent(tx, version, 'report_ready', { message });
  const payload = { reportId: id, modelVersionId: versionId, kind, subject, attempt, passed };
  await publish(tx, reportReady, payload);
  return id;
}

/** Returns a report of a version, with its hashes verified; null if it has none with this id. */
export const reportOrNull = (ctx: Context, versionId: string, id: string): Promise<EvaluationReport | null> =>
  findReport(ctx, { versionId, id });

/** Returns a report by its id, for objects that refer to it; null if there is none. */
export const loadReport = (ctx: Context, id: string): Promise<EvaluationReport | null> =>
  ctx.load(reportById, id);

/** Returns the artifact of a report; null if its hash is not the stored one. */
export const loadArtifact = async (
  ctx: Context,
  { id, fingerprint }: Pick<EvaluationReport, 'id' | 'fingerprint'>,
): Promise<TrainedArtifact | null> => readArtifact(await findArtifact(ctx, id), fingerprint);

/**
 * Returns a report of a version, with its hashes verified.
 *
 * @throws AppError EVALUATION_REPORT_NOT_FOUND (404)
 */
export async function getReport(ctx: Context, versionId: string, id: string): Promise<EvaluationReport> {
  const found = await findReport(ctx, { versionId, id });
  if (!found) throw notFound('evaluation report', id);
  return found;
}

/** Returns the report of the latest attempt that has one; null before the first. */
export const latestReport = async (
  ctx: Context,
  { id: versionId, reportId }: Pick<ModelVersion, 'id' | 'reportId'>,
): Promise<EvaluationReport | null> => (reportId ? findReport(ctx, { versionId, id: reportId }) : null);

/**
 * Returns reports of a version, newest first; 20 by default.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: model API, section 4 "Training"; requirement M-TRN-17
 */
export const listReports = (
  ctx: Context,
  versionId: string,
  args: PageArgs,
): Promise<Page<EvaluationReport>> =>
  reportsPage(ctx, { versionId, isPending: false }, pageRequest(args, LISTED));

/** Returns the reports of all versions that nobody has reviewed, oldest first, including stale ones. */
export const listQueue = (ctx: Context, args: PageArgs): Promise<Page<EvaluationReport>> =>
  reportsPage(ctx, { versionId: null, isPending: true }, pageRequest(args, LISTED));

/**
 * Returns the artifact of a version's latest report, after verifying its hash.
 *
 * @throws AppError ARTIFACT_CHANGED (409)
 * @remarks Source: model API, section 3; requirements M-TRN-21, M-TRN-25
 */
export async function getArtifact(
  ctx: Context,
  { reportId, fingerprint }: Pick<ModelVersion, 'reportId' | 'fingerprint'>,
): Promise<TrainedArtifact> {
  const artifact = readArtifact(reportId ? await findArtifact(ctx, reportId) : null, fingerprint);
  if (!artifact) throw artifactChanged();
  return artifact;
}

const PARSED_MAX = 64;

/** Artifacts by fingerprint, which changes with every byte. */
const parsed = new LRUCache<string, TrainedArtifact>({ max: PARSED_MAX });

/** Parses a stored artifact after verifying its hash; null if that is not the fingerprint. */
export function readArtifact(stored: string | null, fingerprint: string | null): TrainedArtifact | null {
  if (stored === null || fingerprint === null || sha256Hex(stored) !== fingerprint) return null;
  const artifact = parsed.get(fingerprint) ?? (JSON.parse(stored) as TrainedArtifact);
  parsed.set(fingerprint, artifact);
  return artifact;
}

/** Returns 409. */
export const artifactChanged = (): AppError =>
  conflict(
    'ARTIFACT_CHANGED',
    'The stored artifact or report is not the one that was evaluated. Start the version again.',
  );

/** Returns the card of a version by its latest report; null before the first. */
export async function cardOf(ctx: Context, version: ModelVersion): Promise<ModelCard | null> {
  const report = version.reportId ? await loadReport(ctx, version.reportId) : null;
  return report && modelCard(version, report);
}
