import type { VersionKind } from '../versions/model-version.ts';

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
}

/** The evaluation in a report, whose numbers are texts there. */
export function evaluationOf({
  report,
  passed,
}: Pick<EvaluationReport, 'report' | 'passed'>): ReportEvaluation {
  const { evaluation } = objectOf(asNumbers(JSON.parse(report)));
  const { metrics, baseline, gates } = objectOf(evaluation);
  return {
    passed,
    metrics: objectOf(metrics),
    baseline: objectOf(baseline),
    gates: Array.isArray(gates) ? gates.map(gateOf) : [],
  };
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

function gateOf(given: unknown): EvaluationGate {
  const { name, passed, value, threshold, rule } = objectOf(given);
  const number = (one: unknown): number | null => (typeof one === 'number' ? one : null);
  return {
    name: String(name),
    passed: passed === true,
    value: number(value),
    threshold: number(threshold),
    rule: String(rule),
  };
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function asNumbers(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asNumbers(one)]));
}
