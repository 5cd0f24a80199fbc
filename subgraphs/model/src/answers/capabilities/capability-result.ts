import type { EvidenceItem, SignalStatus } from '../../scoring/standard-model/standard-state.ts';
import type { Finding, Json } from '../findings/finding.ts';

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
