import type { EvidenceItem, SignalStatus } from '../../scoring/standard-model/score.ts';
import type { Finding, Json } from './capability.ts';

/** What an answer rests on. */
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
 * A finding as it is answered, once it is known what it cost.
 *
 * @param about.analysisId - under which it is kept, for decisions to name
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
