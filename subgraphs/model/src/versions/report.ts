import { heldOutWarnings } from '../estimators/gates.ts';
import type { VersionKind } from './model-version.ts';

export type ReviewStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

export type ReportStatus = ReviewStatus | 'STALE';

/** The evaluation of an attempt. */
export interface EvaluationReport {
  readonly id: string;
  readonly kind: VersionKind;
  readonly versionId: string;
  readonly attempt: number;
  readonly passed: boolean;
  /** Canonical JSON. */
  readonly report: string;
  readonly reportHash: string;
  /** Fingerprint of the attempt's artifact. */
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly reviewStatus: ReviewStatus;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly note: string | null;
  /** True if the version was started again after this report. */
  readonly isStale: boolean;
  /** True if the stored report and artifact still have their stored hashes. */
  readonly isIntact: boolean;
}

/** A rejected report stays rejected; any other becomes stale when the version is started again. */
export const reportStatus = ({ isStale, reviewStatus }: EvaluationReport): ReportStatus =>
  isStale && reviewStatus !== 'REJECTED' ? 'STALE' : reviewStatus;

/** A condition that a version must meet. */
export interface EvaluationGate {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number | null;
  readonly threshold: number | null;
  /** The relation of value and threshold that passes the gate. */
  readonly rule: string;
}

/** The numbers in a report. */
export interface ReportEvaluation {
  readonly passed: boolean;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly baseline: Readonly<Record<string, unknown>>;
  readonly gates: readonly EvaluationGate[];
  /** Conditions that are not met, for which an approval must give a reason. */
  readonly warnings: readonly EvaluationGate[];
}

/** Returns the evaluation in a report; its numbers are strings there. */
export function evaluationOf(report: Pick<EvaluationReport, 'report' | 'passed'>): ReportEvaluation {
  const { metrics, baseline, gates, warnings } = objectOf(contentOf(report)['evaluation']);
  return {
    passed: report.passed,
    metrics: objectOf(metrics),
    baseline: objectOf(baseline),
    gates: objectsOf(gates).map(gateOf),
    warnings: Array.isArray(warnings) ? objectsOf(warnings).map(gateOf) : warningsBy(objectOf(metrics)),
  };
}

/** Returns the warnings of a report that was written before warnings existed. */
const warningsBy = (metrics: Readonly<Record<string, unknown>>): readonly EvaluationGate[] =>
  heldOutWarnings(
    Object.fromEntries(
      Object.entries(metrics).map(([name, figure]) => [name, { value: numberOf(objectOf(figure)['value']) }]),
    ),
  );

const gateOf = ({ name, passed, value, threshold, rule }: Record<string, unknown>): EvaluationGate => ({
  name: String(name),
  passed: passed === true,
  value: numberOf(value),
  threshold: numberOf(threshold),
  rule: String(rule),
});

type Content = Readonly<Record<string, unknown>>;

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Parses a report to plain data; its numbers, which are strings in canonical JSON, become numbers. */
export const contentOf = ({ report }: { readonly report: string }): Content =>
  objectOf(asNumbers(JSON.parse(report)));

/** Returns the object in a field; an empty one if there is none. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Returns the objects of a list in a field. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];

/** Returns the number in a field; null if there is none. */
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function asNumbers(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asNumbers(one)]));
}
