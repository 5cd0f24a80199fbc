import type { ActualUsage } from '../credits/charges.ts';
import type { EvidenceItem, SignalStatus } from '../standard-model/standard-state.ts';
import type { StateRow } from '../standard-model/state-row.ts';

/** JSON as clients receive it: keys in snake_case, because neither REST nor the graph renames them. */
export type Json = Readonly<Record<string, unknown>>;

/** The answer of a capability, before it is charged and saved. */
export interface Finding {
  readonly status: SignalStatus;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
  /** Null where no model was used. */
  readonly modelVersion: string | null;
  readonly data: Json | null;
  readonly usage: ActualUsage;
  /** The cutoff of an analysis of a member, which is saved; absent otherwise. */
  readonly cutoff?: Date;
  /** Of an analysis that holds all signals of the member: it becomes the member's latest state. */
  readonly stateRow?: StateRow;
}

/** The status, evidence and price of an answer. */
export interface ResultEnvelope {
  readonly status: SignalStatus;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
  readonly modelVersion: string | null;
  readonly computedAt: Date;
  readonly creditsCharged: number;
}

export interface CapabilityResult {
  readonly envelope: ResultEnvelope;
  readonly data: Json | null;
}

/**
 * The result of a finding, once its cost is known.
 *
 * @param about.analysisId - id under which it is saved; decisions may name it
 */
export function resultOf(
  { status, evidence, limitations, modelVersion, data, cutoff }: Finding,
  about: { readonly analysisId: string; readonly computedAt: Date; readonly creditsCharged: number },
): CapabilityResult {
  const { analysisId, ...charge } = about;
  return {
    envelope: { status, evidence, limitations, modelVersion, ...charge },
    data: cutoff && data ? { analysis_id: analysisId, ...data } : data,
  };
}
