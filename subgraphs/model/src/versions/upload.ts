import { createHash } from 'node:crypto';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkStorable, checkText } from '@loyalty/platform/base/input';
import { notEmpty } from '@loyalty/platform/base/input-rules';
import { samePlainText } from '../estimators/sample-table.ts';
import type { SampleIssue, TrainingConfig } from '../estimators/training-request.ts';
import type { Trainer } from '../pipelines/trainer.ts';
import { type ModelVersion, subjectOf } from './model-version.ts';

/** The greatest size of a file of samples. */
export const CONTENT_BYTES_MAX = 2 * 1024 * 1024;
const NAME_MAX = 200;
const RULE_VERSION_MAX = 100;
const DEFINITION_MAX = 4_000;
const HORIZON_DAYS_MAX = 730;
const ISSUES_LISTED = 1_000;

/** Samples and their configuration, as the client sends them. */
export interface VersionUpload extends Pick<ModelVersion, 'kind' | 'subject' | 'origin' | 'horizon'> {
  readonly name: string;
  readonly confirmed?: boolean | null | undefined;
  readonly ruleVersion?: string | null | undefined;
  readonly definition?: string | null | undefined;
  /** CSV. */
  readonly content: string;
  /** The version that an incremental one continues. */
  readonly baseId?: string | null;
}

/** An upload with checked parts. */
export interface CheckedUpload {
  readonly name: string;
  readonly ruleVersion: string | null;
  readonly definition: string | null;
  readonly sampleCount: number;
  /** SHA-256 of everything but the name; equal samples have equal keys whatever their line ends. */
  readonly contentKey: Uint8Array<ArrayBuffer>;
  /** SHA-256 with the original line ends, the key of older versions. */
  readonly formerKey: Uint8Array<ArrayBuffer>;
}

/** Returns 400. */
export const notConfirmed = (): AppError =>
  invalid('input.confirmed', 'must be true for an upload', 'CONFIRMATION_REQUIRED');

/**
 * @param now - no label may end after it
 * @throws AppError CONFIRMATION_REQUIRED, VALIDATION_FAILED (400) with the issues of the samples,
 *   UPLOAD_TOO_LARGE (413)
 */
export function checkUpload(upload: VersionUpload, now: Date, trainer: Trainer): CheckedUpload {
  if (!upload.confirmed) throw notConfirmed();
  const { name, ruleVersion, definition } = checkDetails(upload);
  const config = trainingConfig({ ...upload, ruleVersion, definition });
  const sampleCount = checkContent(upload, config, now, trainer);
  const contentKey = contentKeyOf({ ...upload, content: samePlainText(upload.content) }, config);
  const formerKey = contentKeyOf(upload, config);
  return { name, ruleVersion, definition, sampleCount, contentKey, formerKey };
}

function checkDetails(upload: VersionUpload): Pick<CheckedUpload, 'name' | 'ruleVersion' | 'definition'> {
  const { horizon, subject } = upload;
  const definitionField = upload.kind === 'TRAINING' ? 'featureDefinition' : 'definition';
  return gathered((check) => {
    const name = check(() => checkText('input.name', upload.name, NAME_MAX));
    check(() => {
      if (horizon < 1 || horizon > HORIZON_DAYS_MAX)
        throw invalid('input.config.horizon', `must be between 1 and ${HORIZON_DAYS_MAX} days`);
    });
    const ruleVersion = check(() => {
      const given = optional('input.config.ruleVersion', upload.ruleVersion, RULE_VERSION_MAX);
      if (subject === 'TIER' && !given)
        throw invalid('input.config.ruleVersion', 'is required for the task tier');
      return given;
    });
    const definition = check(() =>
      optional(`input.config.${definitionField}`, upload.definition, DEFINITION_MAX),
    );
    return { name, ruleVersion, definition };
  });
}

function optional(field: string, text: string | null | undefined, lengthMax: number): string | null {
  return text == null || text.trim() === '' ? null : checkText(field, text, lengthMax);
}

/** Returns the configuration in the notation of training. */
export const trainingConfig = (
  version: Pick<ModelVersion, 'origin' | 'horizon' | 'ruleVersion' | 'definition'>,
): TrainingConfig => ({
  origin: version.origin === 'TEST' ? 'test' : 'live',
  horizon: version.horizon,
  ruleVersion: version.ruleVersion,
  definition: version.definition,
});

function checkContent(upload: VersionUpload, config: TrainingConfig, now: Date, trainer: Trainer): number {
  const { content } = upload;
  checkFile(content);
  const { issues, sampleCount } = trainer.checkSamples(subjectOf(upload), config, content, now);
  refuseIssues(issues);
  return sampleCount;
}

/** @throws AppError UPLOAD_TOO_LARGE (413), VALIDATION_FAILED (400) for content that cannot be stored */
export function checkFile(content: string): void {
  if (Buffer.byteLength(content) > CONTENT_BYTES_MAX)
    throw new AppError('PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_LARGE', 'input.content must have at most 2 MiB.', {
      field: 'input.content',
    });
  if (content.trim() === '') throw invalid('input.content', notEmpty);
  checkStorable('input.content', content);
}

/** @throws AppError VALIDATION_FAILED (400) with the issues of `input.content`, if there are any */
export function refuseIssues(issues: readonly SampleIssue[]): void {
  const [first] = issues;
  if (!first) return;
  const { row, column, message } = first;
  const many = issues.length === 1 ? 'an issue' : `${issues.length} issues`;
  throw new AppError(
    'BAD_USER_INPUT',
    'VALIDATION_FAILED',
    `input.content has ${many}; row ${row}: ${column} ${message}.`,
    { field: 'input.content', issues: issues.slice(0, ISSUES_LISTED) },
  );
}

function contentKeyOf(
  { kind, subject, baseId, content }: VersionUpload,
  config: TrainingConfig,
): Uint8Array<ArrayBuffer> {
  const { origin, horizon, ruleVersion, definition } = config;
  return createHash('sha256')
    .update(JSON.stringify([kind, subject, origin, horizon, ruleVersion, definition, baseId ?? null]))
    .update('\0')
    .update(content)
    .digest();
}
