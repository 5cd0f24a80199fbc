import { heldOutWarnings } from '../estimators/gates.ts';
import type { VersionKind } from './model-version.ts';

export type ReviewStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

export type ReportStatus = ReviewStatus | 'STALE';

/** How an attempt was evaluated. */
export interface EvaluationReport {
  readonly id: string;
  readonly kind: VersionKind;
  readonly versionId: string;
  readonly attempt: number;
  readonly passed: boolean;
  /** Canonical JSON. */
  readonly report: string;
  readonly reportHash: string;
  /** Of the artifact that the attempt made. */
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly reviewStatus: ReviewStatus;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly note: string | null;
  /** The version was started again since. */
  readonly isStale: boolean;
  /** The stored report and artifact still have the hashes that they were stored with. */
  readonly isIntact: boolean;
}

/** A rejected report stays rejected; any other is stale once the version was started again. */
export const reportStatus = ({ isStale, reviewStatus }: EvaluationReport): ReportStatus =>
  isStale && reviewStatus !== 'REJECTED' ? 'STALE' : reviewStatus;

/** One condition that a version must meet. */
export interface EvaluationGate {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number | null;
  readonly threshold: number | null;
  /** How the value of a gate that is passed relates to the threshold. */
  readonly rule: string;
}

/** What a report says of the version, in numbers. */
export interface ReportEvaluation {
  readonly passed: boolean;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly baseline: Readonly<Record<string, unknown>>;
  readonly gates: readonly EvaluationGate[];
  /** Conditions that do not hold, and for which an approval has to give a reason. */
  readonly warnings: readonly EvaluationGate[];
}

/** The evaluation in a report, whose numbers are texts there. */
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

/** Of a report that was written before there were warnings. */
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

/** A report as plain data; its numbers, which are texts in canonical JSON, are numbers. */
export const contentOf = ({ report }: { readonly report: string }): Content =>
  objectOf(asNumbers(JSON.parse(report)));

/** The object that a field holds; an empty one where it holds none. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** The objects of a list that a field holds. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];

/** The number that a field holds; null where it holds none. */
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function asNumbers(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asNumbers(one)]));
}
