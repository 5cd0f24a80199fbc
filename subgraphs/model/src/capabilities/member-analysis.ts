import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import {
  type AppliedAlignment,
  applyAlignments,
  type UsableAlignment,
} from '../alignment/applied-alignments.service.ts';
import { cutoffAt, readMembers } from '../facts/statistics.service.ts';
import { workspaceFigures } from '../standard-model/fits.service.ts';
import type { RequestedHorizons } from '../standard-model/horizons.ts';
import { presentState } from '../standard-model/present-state.ts';
import { expectedPurchases } from '../standard-model/score.ts';
import { scorePortOf } from '../standard-model/score-port.ts';
import { modelUnavailable } from '../standard-model/score-request.ts';
import { roundedScore, type Signal, type StandardState } from '../standard-model/standard-state.ts';
import { CURRENT_VERSION, type StandardVersion } from '../standard-model/standard-versions.ts';
import { type StateRow, stateRow } from '../standard-model/state-row.ts';
import type { Cutoff } from '../standard-model/statistics-block.ts';
import {
  alignedJson,
  type SignalAlignments,
  type SignalName,
  targetOf,
  withAlignments,
} from './aligned-signals.ts';
import type { Finding, Json } from './finding.ts';

/** Horizon of `expected_purchases_30d`, in days. */
const EXPECTED_DAYS = 30;

export interface MemberAnalysis {
  readonly version: StandardVersion;
  readonly cutoff: Cutoff;
  readonly state: StandardState;
  /** Alignments of the requested signals. */
  readonly alignments: SignalAlignments;
  /** The stored form of the state. */
  readonly row: StateRow;
  /** Purchase days expected within 30 days; null for a member without a purchase. */
  readonly expectedPurchases: number | null;
}

/** The options of an analysis of a member. */
export interface AnalysisOptions {
  /** Version of the standard model. Default: the current one. */
  readonly version?: StandardVersion | undefined;
  readonly horizons?: RequestedHorizons;
  /** Signals to which published alignments are applied. Default: none. */
  readonly aligned?: readonly SignalName[];
  /** Applied in place of the live alignment of its target. */
  readonly trial?: UsableAlignment | null;
}

interface Asked extends Required<AnalysisOptions> {
  readonly memberId: string;
  readonly version: StandardVersion;
}

/**
 * Computes all signals of a member at this moment by the standard model. Batched: concurrent calls of one
 * workspace share a cutoff and one read of statistics.
 *
 * @throws AppError MODEL_SERVICE_UNAVAILABLE (503) if the model is unreachable or cannot score the member,
 *   PEER_UNAVAILABLE (503)
 */
export async function analyseMember(
  ctx: Context,
  memberId: string,
  { version = CURRENT_VERSION, horizons = {}, aligned = [], trial = null }: AnalysisOptions = {},
): Promise<MemberAnalysis> {
  const analysis = await analyseBatch(ctx, { memberId, version, horizons, aligned, trial });
  if (!analysis) throw modelUnavailable();
  return analysis;
}

/** Returns null for a member that could not be scored. */
const analyseBatch = batched(async (ctx, asked: readonly Asked[]) => {
  const cutoff = await cutoffAt(ctx, ctx.clock.now());
  const ids = asked.map(({ memberId }) => memberId);
  const [{ members, pool }, figures] = await Promise.all([
    readMembers(ctx, ids, cutoff),
    workspaceFigures(ctx),
  ]);
  const port = scorePortOf(ctx.services);
  // Most calls have the same version and horizons, and share one scoring.
  const scoresFor = memoized((version: StandardVersion, horizons: RequestedHorizons) =>
    port.score({ members, cutoff, options: { ...horizons, version, pool, figures } }),
  );
  const expectedFor = memoized(async (version: StandardVersion) => {
    const { scores } = await scoresFor(version, {});
    return expectedPurchases(members, scores, cutoff, { version, days: EXPECTED_DAYS });
  });
  const at = new Date(cutoff.ms);
  const analyses = await Promise.all(
    asked.map(async ({ version, horizons }, place): Promise<StandardAnalysis | null> => {
      const [{ scores, failed }, expectedOfAll] = await Promise.all([
        scoresFor(version, horizons),
        expectedFor(version),
      ]);
      if (failed[place]) return null;
      const row = stateRow(members, scores, place, cutoff);
      const expected = expectedOfAll[place]!;
      return {
        version,
        cutoff,
        state: presentState(row, at, horizons),
        row,
        expectedPurchases: Number.isNaN(expected) ? null : roundedScore(expected),
      };
    }),
  );
  const alignments = await alignmentsOf(ctx, asked, analyses, at);
  return analyses.map((analysis, place) => analysis && { ...analysis, alignments: alignments[place]! });
});

/** Caches the answer for equal arguments. */
function memoized<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  const kept = new Map<string, Promise<Answer>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const answer = kept.get(key) ?? ask(...args);
    kept.set(key, answer);
    return answer;
  };
}

type StandardAnalysis = Omit<MemberAnalysis, 'alignments'>;

/** Returns the results of published alignments for the requested signals that have a score. */
async function alignmentsOf(
  ctx: Context,
  asked: readonly Asked[],
  analyses: readonly (StandardAnalysis | null)[],
  at: Date,
): Promise<SignalAlignments[]> {
  const places = asked.flatMap(({ aligned, memberId, trial }, place) =>
    aligned.flatMap((name) => {
      const signal = analyses[place]?.state[name];
      if (!signal || signal.score === null) return [];
      const target = targetOf[name];
      const own = trial?.target === target ? trial : null;
      return [{ place, name, score: { memberId, target, horizonDays: signal.horizonDays, trial: own } }];
    }),
  );
  if (places.length === 0) return asked.map(() => ({}));
  const applied = await applyAlignments(
    ctx,
    places.map(({ score }) => score),
    at,
  );
  const found = asked.map((): Partial<Record<SignalName, AppliedAlignment>> => ({}));
  for (const [index, { place, name }] of places.entries())
    if (applied[index]) found[place]![name] = applied[index];
  return found;
}

/** Returns the first fields of every analysis of one member. */
export const headOf = (memberId: string, { cutoff }: MemberAnalysis): Json => ({
  member_id: memberId,
  source_cutoff: new Date(cutoff.ms).toISOString(),
});

export const scoresIn = (signals: readonly Signal[]): number =>
  signals.filter(({ status }) => status !== 'UNAVAILABLE').length;

/** Returns all three signals of a member. */
export function stateFinding(memberId: string, analysis: MemberAnalysis): Finding {
  const { version, state, cutoff, alignments } = analysis;
  return {
    status: state.status,
    evidence: state.evidence,
    limitations: withAlignments(state.limitations, Object.values(alignments)),
    modelVersion: version,
    data: {
      ...headOf(memberId, analysis),
      purchase: alignedJson(state.purchase, alignments.purchase),
      long_gap: alignedJson(state.longGap, alignments.longGap),
      cart_removal: alignedJson(state.cartRemoval, alignments.cartRemoval),
      expected_purchases_30d: analysis.expectedPurchases,
    },
    usage: {
      scores: scoresIn([state.purchase, state.longGap, state.cartRemoval]),
      hasDecision: false,
    },
    cutoff: new Date(cutoff.ms),
    stateRow: analysis.row,
  };
}

const fieldNames: Readonly<Record<SignalName, string>> = {
  purchase: 'purchase',
  longGap: 'long_gap',
  cartRemoval: 'cart_removal',
};

/** Returns one signal of a member. */
export function signalFinding(memberId: string, analysis: MemberAnalysis, name: SignalName): Finding {
  const { version, state, cutoff, alignments } = analysis;
  const signal = state[name];
  return {
    status: signal.status,
    evidence: state.evidence,
    limitations: withAlignments(limitationsOf(state, name), [alignments[name]]),
    modelVersion: version,
    data: { ...headOf(memberId, analysis), [fieldNames[name]]: alignedJson(signal, alignments[name]) },
    usage: { scores: scoresIn([signal]), hasDecision: false },
    cutoff: new Date(cutoff.ms),
  };
}

/** Returns the limitations of a state without those that belong only to its other signals. */
export function limitationsOf(state: StandardState, name: SignalName): string[] {
  const own = state[name].reasons;
  const others = [state.purchase, state.longGap, state.cartRemoval].flatMap(({ reasons }) => reasons);
  const foreign = name === 'cartRemoval' ? others : [...others, 'CART_SIGNAL_NOT_VALIDATED'];
  return state.limitations.filter((code) => own.includes(code) || !foreign.includes(code));
}
