import type { ActualUsage } from '../credits/charges.ts';
import type { EvidenceItem, SignalStatus } from '../standard-model/standard-state.ts';
import type { StateRow } from '../standard-model/state-row.ts';

/** JSON for clients: keys in snake_case, because neither REST nor the graph renames them. */
export type Json = Readonly<Record<string, unknown>>;

/** The answer of a capability, before it is charged and saved. */
export interface Finding {
  readonly status: SignalStatus;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
  /** Null if no model was used. */
  readonly modelVersion: string | null;
  readonly data: Json | null;
  readonly usage: ActualUsage;
  /** The cutoff of an analysis of a member, which is saved; otherwise absent. */
  readonly cutoff?: Date;
  /** Set if the analysis has all signals of the member: it becomes the member's latest state. */
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
 * Returns the result of a finding with its cost.
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
