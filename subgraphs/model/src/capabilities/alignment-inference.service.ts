import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { getTrial, type UsableAlignment } from '../alignment/applied-alignments.service.ts';
import { chargeOf, maximumByContract } from '../credits/charges.ts';
import { paidWork } from '../credits/paid-work.service.ts';
import { findNamedMembers } from '../members/member-mappings.service.ts';
import { requireConsumer } from '../members/members.service.ts';
import { readAlignment } from '../pipelines/alignment-artifact.ts';
import { roundedScore } from '../standard-model/standard-state.ts';
import { type SignalName, targetOf, withAlignments } from './aligned-signals.ts';
import type { ResultEnvelope } from './finding.ts';
import { analyseMember, limitationsOf, type MemberAnalysis } from './member-analysis.ts';

/** The inference of a published alignment for a member. */
export interface AlignmentInference {
  readonly envelope: ResultEnvelope;
  /** Null if there is no answer. */
  readonly scores: {
    /** The target of the alignment. */
    readonly objective: string;
    readonly value: number;
    /** The standard model's score, which the alignment replaces. */
    readonly standardScore: number | null;
  } | null;
  readonly applicability: { readonly inDistribution: boolean; readonly limits: readonly string[] };
}

/**
 * Scores a member by a published alignment, of test samples or live. An answer costs as much as a score; a
 * member who is unlike the samples, or about whom too little is known, has no answer and costs nothing.
 *
 * @param memberId - the member's id, or the external id of its import
 * @throws AppError MODEL_VERSION_NOT_FOUND, CONSUMER_NOT_FOUND (404), MEMBER_RESTRICTED (403),
 *   VERSION_NOT_PUBLISHED, ARTIFACT_CHANGED, ARTIFACT_UNREADABLE (409), TRIAL_CREDITS_EXHAUSTED,
 *   SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402), PEER_UNAVAILABLE, MODEL_SERVICE_UNAVAILABLE (503)
 * @remarks Source: model API, section 4 "Alignment"; requirements M-ALN-05, M-ALN-06, M-ALN-11
 */
export async function inferAlignment(
  ctx: Context,
  { id, memberId: named }: { readonly id: string; readonly memberId: string },
): Promise<AlignmentInference> {
  const version = await getTrial(ctx, id);
  const { limitations } = readAlignment(version.artifact!);
  const memberId = (await findNamedMembers(ctx, [named])).get(named)?.id;
  if (memberId === undefined) throw notFound('consumer', named);
  await requireConsumer(ctx, memberId);
  const maximum = maximumByContract([{ scores: 1, isDecision: false }]);
  const purpose = `inference ${version.target.toLowerCase()}`;
  return paidWork(ctx, { maximum, purpose }, async (settle, contract) => {
    const analysis = await analysisBy(ctx, version, memberId);
    const scores = scoresBy(version, analysis);
    const cost = scores ? chargeOf([{ scores: 1, hasDecision: false }], contract) : 0;
    const creditsCharged = cost > 0 ? await settle(ctx, cost) : 0;
    return {
      scores,
      envelope: envelopeOf(ctx, version, analysis, creditsCharged),
      applicability: applicabilityOf(version, analysis, limitations),
    };
  });
}

const signals = Object.keys(targetOf) as SignalName[];

const signalOf = ({ target }: UsableAlignment): SignalName =>
  signals.find((name) => targetOf[name] === target)!;

function analysisBy(ctx: Context, version: UsableAlignment, memberId: string): Promise<MemberAnalysis> {
  const { horizon } = version;
  const horizons = { purchaseDays: horizon, gapDays: horizon };
  return analyseMember(ctx, memberId, { horizons, aligned: [signalOf(version)], trial: version });
}

function scoresBy(version: UsableAlignment, { state, alignments }: MemberAnalysis) {
  const name = signalOf(version);
  const value = alignments[name]?.score ?? null;
  if (value === null) return null;
  const objective = version.target.toLowerCase();
  return { objective, value: roundedScore(value), standardScore: state[name].score };
}

function envelopeOf(
  ctx: Context,
  version: UsableAlignment,
  { state, alignments }: MemberAnalysis,
  creditsCharged: number,
): ResultEnvelope {
  const name = signalOf(version);
  const applied = alignments[name];
  return {
    status: applied?.score == null ? 'UNAVAILABLE' : state[name].status,
    evidence: state.evidence,
    limitations: withAlignments(limitationsOf(state, name), [applied]),
    modelVersion: version.fingerprint,
    computedAt: ctx.clock.now(),
    creditsCharged,
  };
}

/** Describes the limits of the answer; without one, the reason. */
function applicabilityOf(
  version: UsableAlignment,
  { state, alignments }: MemberAnalysis,
  limitations: readonly string[],
): AlignmentInference['applicability'] {
  const name = signalOf(version);
  const applied = alignments[name];
  if (!applied) return { inDistribution: false, limits: state[name].reasons };
  if (applied.score !== null) return { inDistribution: true, limits: limitations };
  const unusual = applied.unusual.map((signal) => `${signal} is unlike the samples.`);
  return { inDistribution: false, limits: [...applied.limitations, ...unusual] };
}
