import { AppError } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { chargeOf, type DecisionScores, maximumByContract } from '../credits/charges.ts';
import { paidWork, type Settle } from '../credits/paid-work.service.ts';
import { saveAnalyses } from '../member-states/analyses.service.ts';
import type { NewAnalysis } from '../member-states/analyses.store.ts';
import { refusedConsumers } from '../members/members.service.ts';
import type { PreparedCall } from './capability.ts';
import { withConcurrencyLimit } from './concurrency-limit.ts';
import { type CapabilityResult, type Finding, resultOf } from './finding.ts';

const CONCURRENT_CALLS_MAX = 3;

/** After this time the members' restrictions are read again before anything is saved. */
const RECHECK_AFTER_MS = 250;

/** The result of one call, or its error. */
export type CallOutcome = PromiseSettledResult<CapabilityResult>;

interface FinishedCall {
  readonly call: PreparedCall;
  readonly finding: Finding;
}

/**
 * Answers calls with one payment. The maximum cost is reserved before any call runs. Answers are saved before
 * the actual cost is settled, so every charged answer is saved and none is charged twice, even if the process
 * stops in between.
 *
 * @param purpose - description of the ledger entry
 * @returns the outcome of each call, in their order; if credits do not suffice, each paid call fails
 * @throws AppError PEER_UNAVAILABLE (503), before any work
 * @remarks Source: model API, section 2 "Credits", rules 5 to 7, and section 4 "Capabilities"
 */
export async function answerCalls(
  ctx: Context,
  calls: readonly PreparedCall[],
  purpose: string,
): Promise<CallOutcome[]> {
  const outcomes = new Map<PreparedCall, CallOutcome>();
  // Read while credits are being reserved; credits of a refused call are released.
  const reading = refusedConsumers(ctx, membersOf(calls));
  reading.catch(() => {});
  const readAt = ctx.clock.now();
  const maximum = maximumByContract(calls.map((call) => call.maximum));
  try {
    await paidWork(ctx, { maximum, purpose }, async (settle, contract) => {
      const refused = await reading;
      const ready = calls.filter((call) => !fail(outcomes, call, refused));
      await answer(ctx, ready, { outcomes, contract, settle, readAt });
    });
  } catch (error) {
    if (!(error instanceof AppError && error.category === 'PAYMENT_REQUIRED')) throw error;
    const refused = await reading;
    const ready = calls.filter((call) => !fail(outcomes, call, refused));
    // Without the refused calls, the credits may suffice for the others.
    if (ready.length < calls.length) keep(outcomes, ready, await answerCalls(ctx, ready, purpose));
    else await answerFree(ctx, calls, { outcomes, readAt, error });
  }
  return calls.map((call) => outcomes.get(call)!);
}

/** Fails each paid call, and answers the others. */
async function answerFree(
  ctx: Context,
  calls: readonly PreparedCall[],
  to: Pick<Destination, 'outcomes' | 'readAt'> & { readonly error: AppError },
): Promise<void> {
  for (const call of calls.filter(isPaid)) to.outcomes.set(call, { status: 'rejected', reason: to.error });
  const free = calls.filter((call) => !isPaid(call));
  await answer(ctx, free, { ...to, contract: 'SEPARATE', settle: async () => 0 });
}

function keep(
  outcomes: Map<PreparedCall, CallOutcome>,
  calls: readonly PreparedCall[],
  found: readonly CallOutcome[],
): void {
  for (const [place, call] of calls.entries()) outcomes.set(call, found[place]!);
}

const isPaid = ({ maximum }: PreparedCall): boolean => maximum.scores > 0 || maximum.isDecision;

const membersOf = (calls: readonly PreparedCall[]): string[] => [
  ...new Set(calls.flatMap(({ memberId }) => memberId ?? [])),
];

/** Fails a call whose member is refused. */
function fail(
  outcomes: Map<PreparedCall, CallOutcome>,
  call: PreparedCall,
  refused: ReadonlyMap<string, AppError>,
): boolean {
  const reason = call.memberId ? refused.get(call.memberId) : undefined;
  if (reason) outcomes.set(call, { status: 'rejected', reason });
  return reason !== undefined;
}

/** The place of answers, and their charge. */
interface Destination {
  readonly outcomes: Map<PreparedCall, CallOutcome>;
  readonly contract: DecisionScores;
  readonly settle: Settle;
  /** Time at which the members' restrictions were read. */
  readonly readAt: Date;
}

async function answer(ctx: Context, calls: readonly PreparedCall[], to: Destination): Promise<void> {
  const ran = await withConcurrencyLimit(CONCURRENT_CALLS_MAX, calls, (call) => call.run(ctx));
  const found: FinishedCall[] = [];
  for (const [place, call] of calls.entries()) {
    const outcome = ran[place]!;
    if (outcome.status === 'fulfilled') found.push({ call, finding: outcome.value });
    else to.outcomes.set(call, outcome);
  }
  const kept = await stillAllowed(ctx, found, to);
  const { results, analyses, total } = charged(ctx, kept, to.contract);
  await saveAnalyses(ctx, analyses);
  if (total > 0) await to.settle(ctx, total);
  for (const [place, { call }] of kept.entries()) {
    to.outcomes.set(call, { status: 'fulfilled', value: results[place]! });
  }
}

/**
 * Removes calls whose member was restricted or erased meanwhile; restrictions are read again only after a
 * while.
 */
async function stillAllowed(
  ctx: Context,
  found: readonly FinishedCall[],
  { outcomes, readAt }: Destination,
): Promise<readonly FinishedCall[]> {
  if (ctx.clock.now().getTime() - readAt.getTime() < RECHECK_AFTER_MS) return found;
  const analysed = found.filter(({ finding }) => finding.cutoff).map(({ call }) => call);
  const refused = await refusedConsumers(ctx, membersOf(analysed));
  return found.filter(({ call }) => !fail(outcomes, call, refused));
}

/**
 * Returns the results with their prices: the addition of each to the total charge. Test mode is free. Only
 * answers about a member become analyses.
 */
function charged(
  ctx: Context,
  finished: readonly FinishedCall[],
  contract: DecisionScores,
): { readonly results: CapabilityResult[]; readonly analyses: NewAnalysis[]; readonly total: number } {
  const [now, isFree] = [ctx.clock.now(), ctx.scope.mode === 'TEST'];
  const results: CapabilityResult[] = [];
  const analyses: NewAnalysis[] = [];
  let total = 0;
  for (const [place, { call, finding }] of finished.entries()) {
    const soFar = finished.slice(0, place + 1).map((each) => each.finding.usage);
    const credits = (isFree ? 0 : chargeOf(soFar, contract)) - total;
    total += credits;
    const id = newId(ctx.clock);
    const result = resultOf(finding, { analysisId: id, computedAt: now, creditsCharged: credits });
    results.push(result);
    const { status, cutoff: sourceCutoff, stateRow = null, modelVersion } = finding;
    if (!call.memberId || !sourceCutoff || !modelVersion) continue;
    const about = { memberId: call.memberId, status, sourceCutoff, stateRow };
    const { actor } = ctx.caller;
    analyses.push({ ...about, id, capability: call.name, result, credits, modelVersion, actor });
  }
  return { results, analyses, total };
}
