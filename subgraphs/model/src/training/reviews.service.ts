import { type AppError, conflict, invalid } from '@loyalty/platform/base/errors';
import { checkStorable } from '@loyalty/platform/base/input';
import { lengthAtMost } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { ModelVersion } from '../versions/model-version.ts';
import { type EvaluationReport, evaluationOf } from '../versions/report.ts';
import { artifactChanged, getReport, markReviewed } from '../versions/reports.service.ts';
import { noteVersionEvent } from '../versions/version-events.service.ts';
import { changeVersion, setStatus, type VersionName } from '../versions/versions.service.ts';
import { requireOtherReviewer } from './review-separation.service.ts';

const NOTE_MAX = 2_000;

/** The name of the report's version, and the reviewer's statement. */
export interface Review extends VersionName {
  readonly reportId: string;
  readonly reportHash: string;
  readonly note?: string | null | undefined;
  /** The reviewer confirms that they have read the report and its limitations. */
  readonly acknowledged?: boolean | null | undefined;
}

/**
 * Approves the report of a version's latest attempt; this does not publish the version. Of two concurrent
 * reviews, one is refused.
 *
 * @throws AppError ACKNOWLEDGEMENT_REQUIRED, VALIDATION_FAILED, REASON_REQUIRED (400) for a report with
 *   warnings and no note, REVIEWER_IS_UPLOADER (403), MODEL_VERSION_NOT_FOUND, EVALUATION_REPORT_NOT_FOUND
 *   (404), REPORT_HASH_MISMATCH, REPORT_STALE, REPORT_HANDLED, EVALUATION_FAILED, ARTIFACT_CHANGED (409),
 *   PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 3; requirements M-TRN-18, -19, -25, -31 to -33
 */
export async function approveReport(ctx: Context, review: Review): Promise<ModelVersion> {
  if (!review.acknowledged)
    throw invalid('input.acknowledged', 'must be true for an approval', 'ACKNOWLEDGEMENT_REQUIRED');
  const note = noteOf(review);
  return changeVersion(ctx, review, async (tx, version) => {
    const report = await openReport(tx, version, review);
    if (!report.passed)
      throw conflict('EVALUATION_FAILED', 'The evaluation did not pass: the report can only be rejected.');
    if (!report.isIntact || report.fingerprint !== version.fingerprint) throw artifactChanged();
    await requireOtherReviewer(tx, version);
    const acknowledged = evaluationOf(report).warnings.map(({ name }) => name);
    if (acknowledged.length > 0 && note === null) throw reasonRequired(acknowledged);
    await handle(tx, version, report, { status: 'APPROVED', note, acknowledged });
  });
}

/**
 * Rejects the report of a version's latest attempt. Of two concurrent reviews, one is refused.
 *
 * @throws AppError VALIDATION_FAILED (400), MODEL_VERSION_NOT_FOUND, EVALUATION_REPORT_NOT_FOUND (404),
 *   REPORT_HASH_MISMATCH, REPORT_STALE, REPORT_HANDLED (409)
 * @remarks Source: model API, section 3; requirements M-TRN-18, -20, -25
 */
export async function rejectReport(ctx: Context, review: Review): Promise<ModelVersion> {
  const note = noteOf(review);
  return changeVersion(ctx, review, async (tx, version) => {
    const report = await openReport(tx, version, review);
    await handle(tx, version, report, { status: 'REJECTED', note, acknowledged: [] });
  });
}

const reasonRequired = (warnings: readonly string[]): AppError =>
  invalid(
    'input.note',
    `must say why the figures are right that the report warns of: ${warnings.join(', ')}`,
    'REASON_REQUIRED',
  );

function noteOf({ note }: Review): string | null {
  const text = note?.trim() ?? '';
  if (text.length > NOTE_MAX) throw invalid('input.note', lengthAtMost(NOTE_MAX));
  checkStorable('input.note', text);
  return text || null;
}

/** Returns the report that the reviewer has read, if its review is still open. */
async function openReport(tx: Context, version: ModelVersion, review: Review): Promise<EvaluationReport> {
  const report = await getReport(tx, version.id, review.reportId);
  if (report.reportHash !== review.reportHash.toLowerCase())
    throw conflict('REPORT_HASH_MISMATCH', 'This is not the hash of the report. Read the report again.');
  if (report.isStale)
    throw conflict('REPORT_STALE', 'The version was started again since. Review the report of that attempt.');
  if (report.reviewStatus !== 'PENDING') throw handled(report);
  return report;
}

const handled = ({ reviewStatus }: EvaluationReport): AppError =>
  conflict('REPORT_HANDLED', `The report was ${reviewStatus.toLowerCase()} before.`);

async function handle(
  tx: Context,
  version: ModelVersion,
  report: EvaluationReport,
  {
    acknowledged,
    ...review
  }: {
    readonly status: 'APPROVED' | 'REJECTED';
    readonly note: string | null;
    /** Warnings that the note justifies. */
    readonly acknowledged: readonly string[];
  },
): Promise<void> {
  if (!(await markReviewed(tx, report.id, review))) throw handled({ ...report, reviewStatus: review.status });
  await setStatus(tx, version.id, review.status);
  const isApproved = review.status === 'APPROVED';
  const about = acknowledged.length > 0 ? ` Acknowledged with a reason: ${acknowledged.join(', ')}.` : '';
  await noteVersionEvent(tx, version, isApproved ? 'approved' : 'rejected', {
    message: `The report of attempt ${report.attempt} was ${isApproved ? 'approved' : 'rejected'}.${about}`,
    after: {
      reportId: report.id,
      reportHash: report.reportHash,
      ...(acknowledged.length > 0 && { acknowledged, reason: review.note }),
    },
  });
}
