import type { Context } from '@loyalty/platform/context';
import type { ModelVersion } from '../versions/model-version.ts';
import {
  contentOf,
  type EvaluationReport,
  evaluationOf,
  numberOf,
  objectOf,
  objectsOf,
} from '../versions/report.ts';
import { loadReport } from '../versions/reports.service.ts';
import { loadVersion } from '../versions/versions.service.ts';
import { type PublishedKey, publishedByKey } from './reviews.store.ts';

/** The changes if a version replaces the published one. */
export interface VersionDifference {
  readonly report: EvaluationReport;
  readonly version: ModelVersion;
  readonly published: ModelVersion;
  readonly publishedReport: EvaluationReport;
}

/** A metric of both versions, each on its own held-out samples. */
export interface MetricDifference {
  readonly name: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly publishedValue: number | null;
  readonly publishedLow: number | null;
  readonly publishedHigh: number | null;
}

/** A weight, or a share of the gain of trees, in both versions. */
export interface WeightDifference {
  readonly name: string;
  readonly value: number | null;
  readonly publishedValue: number | null;
}

const WEIGHTS_MAX = 100;

/**
 * Returns the changes that a report's version would make; null if no other version of its kind, subject and
 * origin is published. Of several published ones the newest counts.
 */
export async function differenceOf(
  ctx: Context,
  report: EvaluationReport,
): Promise<VersionDifference | null> {
  const version = await loadVersion(ctx, report.versionId);
  if (!version) return null;
  const { kind, subject, origin } = version;
  const id = await ctx.load(publishedByKey, `${kind}:${subject}:${origin}` satisfies PublishedKey);
  const published = id && id !== version.id ? await loadVersion(ctx, id) : null;
  const publishedReport = published?.reportId ? await loadReport(ctx, published.reportId) : null;
  return published && publishedReport && { report, version, published, publishedReport };
}

/** Returns the metrics of both reports, by name. */
export function metricsOf({ report, publishedReport }: VersionDifference): MetricDifference[] {
  const [own, other] = [report, publishedReport].map((each) => evaluationOf(each).metrics);
  return namesOf(own!, other!).map((name) => {
    const [now, then] = [objectOf(own![name]), objectOf(other![name])];
    return {
      name,
      value: numberOf(now['value']),
      low: numberOf(now['low']),
      high: numberOf(now['high']),
      publishedValue: numberOf(then['value']),
      publishedLow: numberOf(then['low']),
      publishedHigh: numberOf(then['high']),
    };
  });
}

/** Returns the 100 weights that change most. */
export function weightsOf({ report, publishedReport }: VersionDifference): WeightDifference[] {
  const [own, other] = [report, publishedReport].map((each) =>
    Object.fromEntries(
      objectsOf(contentOf(each)['features']).map(({ name, value }) => [String(name), value]),
    ),
  );
  return namesOf(own!, other!)
    .map((name) => ({ name, value: numberOf(own![name]), publishedValue: numberOf(other![name]) }))
    .sort((one, next) => Math.abs(changeOf(next)) - Math.abs(changeOf(one)))
    .slice(0, WEIGHTS_MAX);
}

const namesOf = (own: object, other: object): string[] => [
  ...new Set([...Object.keys(own), ...Object.keys(other)]),
];

/** Returns the change of a weight; a missing weight counts as 0. */
export const changeOf = ({ value, publishedValue }: WeightDifference): number =>
  (value ?? 0) - (publishedValue ?? 0);

/** Whether the bounds of a metric do not overlap. Null if one of the versions has no bounds. */
export function isBeyondBounds({ low, high, publishedLow, publishedHigh }: MetricDifference): boolean | null {
  if (low === null || high === null || publishedLow === null || publishedHigh === null) return null;
  return low > publishedHigh || high < publishedLow;
}
