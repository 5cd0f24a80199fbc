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

/** Days ahead that `expected_purchases_30d` is about. */
const EXPECTED_DAYS = 30;

export interface MemberAnalysis {
  readonly version: StandardVersion;
  readonly cutoff: Cutoff;
  readonly state: StandardState;
  /** Of the signals that were asked for. */
  readonly alignments: SignalAlignments;
  /** As it is kept. */
  readonly row: StateRow;
  /** Purchase days expected within 30 days; null without a purchase to go by. */
  readonly expectedPurchases: number | null;
}

/** What is asked about a member. */
export interface AnalysisOptions {
  /** Of the standard model; the current one by default. */
  readonly version?: StandardVersion | undefined;
  readonly horizons?: RequestedHorizons;
  /** Signals to which published alignments are applied; none by default. */
  readonly aligned?: readonly SignalName[];
  /** Applied in place of the live alignment of its target. */
  readonly trial?: UsableAlignment | null;
}

interface Asked extends Required<AnalysisOptions> {
  readonly memberId: string;
  readonly version: StandardVersion;
}

/**
 * All signals of a member at this moment, by the standard model. Calls of one workspace that come together
 * have one cutoff, and their statistics are read once.
 *
 * @throws AppError MODEL_SERVICE_UNAVAILABLE (503) where the model is away or cannot score the member,
 *   PEER_UNAVAILABLE (503)
 */
export async function analyseMember(
  ctx: Context,
  memberId: string,
  { version = CURRENT_VERSION, horizons = {}, aligned = [], trial = null }: AnalysisOptions = {},
): Promise<MemberAnalysis> {
  const analysis = await analyseTogether(ctx, { memberId, version, horizons, aligned, trial });
  if (!analysis) throw modelUnavailable();
  return analysis;
}

/** Null for a member that could not be scored. */
const analyseTogether = batched(async (ctx, asked: readonly Asked[]) => {
  const cutoff = await cutoffAt(ctx, ctx.clock.now());
  const ids = asked.map(({ memberId }) => memberId);
  const [{ members, pool }, figures] = await Promise.all([
    readMembers(ctx, ids, cutoff),
    workspaceFigures(ctx),
  ]);
  const port = scorePortOf(ctx.services);
  // Most calls ask for the same version and horizons, and are scored together.
  const scoresFor = keptBy((version: StandardVersion, horizons: RequestedHorizons) =>
    port.score({ members, cutoff, options: { ...horizons, version, pool, figures } }),
  );
  const expectedFor = keptBy(async (version: StandardVersion) => {
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

/** The same answer to the same arguments, asked for once. */
function keptBy<Args extends readonly unknown[], Answer>(
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

/** What published alignments say about the signals that were asked for and have a score. */
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

/** The first fields of every analysis of one member. */
export const headOf = (memberId: string, { cutoff }: MemberAnalysis): Json => ({
  member_id: memberId,
  source_cutoff: new Date(cutoff.ms).toISOString(),
});

export const scoresIn = (signals: readonly Signal[]): number =>
  signals.filter(({ status }) => status !== 'UNAVAILABLE').length;

/** All three signals of a member. */
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

/** One signal of a member. */
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

/** The limitations of a state without those of its other signals alone. */
export function limitationsOf(state: StandardState, name: SignalName): string[] {
  const own = state[name].reasons;
  const others = [state.purchase, state.longGap, state.cartRemoval].flatMap(({ reasons }) => reasons);
  const foreign = name === 'cartRemoval' ? others : [...others, 'CART_SIGNAL_NOT_VALIDATED'];
  return state.limitations.filter((code) => own.includes(code) || !foreign.includes(code));
}
