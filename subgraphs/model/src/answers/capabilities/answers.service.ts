import type { Context } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';
import { newId } from '@loyalty/platform/values/ids';
import { paidWork, type Settle } from '../../credits/paid-work/paid-work.service.ts';
import { chargeOf, type DecisionScores, maximumByContract } from '../../credits/wallet/charges.ts';
import { refusedConsumers } from '../../members/consumers.ts';
import { saveAnalyses } from '../analyses/analyses.service.ts';
import type { NewAnalysis } from '../analyses/analyses.store.ts';
import type { Finding, PreparedCall } from './capability.ts';
import { type CapabilityResult, resultOf } from './capability-result.ts';
import { inLanes } from './concurrency-limit.ts';

/** Calls that run at once. */
const LANES = 3;

/** A member that was free to be processed so short a time ago is so still. */
const ASK_AGAIN_MS = 250;

/** What became of one call. */
export type Outcome = PromiseSettledResult<CapabilityResult>;

interface Answered {
  readonly call: PreparedCall;
  readonly finding: Finding;
}

/**
 * Answers calls that are paid together. Credits for the most they can cost are reserved before any of them
 * runs, answers are kept before what they really cost is settled: one that was charged is kept, too, and none
 * is charged twice, wherever the process may stop.
 *
 * @param purpose - what the ledger will say was bought
 * @returns what became of each call, in their order; each paid one fails where credits do not suffice
 * @throws AppError PEER_UNAVAILABLE (503), before any work
 * @remarks Source: model API, section 2 "Credits", rules 5 to 7, and section 4 "Capabilities"
 */
export async function answerCalls(
  ctx: Context,
  calls: readonly PreparedCall[],
  purpose: string,
): Promise<Outcome[]> {
  const outcomes = new Map<PreparedCall, Outcome>();
  // Asked while credits are reserved: what is reserved for a call that is refused comes back.
  const asking = refusedConsumers(ctx, membersOf(calls));
  asking.catch(() => {});
  const askedAt = ctx.clock.now();
  const maximum = maximumByContract(calls.map((call) => call.promised));
  try {
    await paidWork(ctx, { maximum, purpose }, async (settle, contract) => {
      const refused = await asking;
      const ready = calls.filter((call) => !fail(outcomes, call, refused));
      await answer(ctx, ready, { outcomes, contract, settle, askedAt });
    });
  } catch (error) {
    if (!(error instanceof AppError && error.category === 'PAYMENT_REQUIRED')) throw error;
    const refused = await asking;
    const ready = calls.filter((call) => !fail(outcomes, call, refused));
    // Without those that are refused, the others may be covered.
    if (ready.length < calls.length) keep(outcomes, ready, await answerCalls(ctx, ready, purpose));
    else await answerFree(ctx, calls, { outcomes, askedAt, error });
  }
  return calls.map((call) => outcomes.get(call)!);
}

/** Fails each paid call, and answers the others. */
async function answerFree(
  ctx: Context,
  calls: readonly PreparedCall[],
  to: Pick<Destination, 'outcomes' | 'askedAt'> & { readonly error: AppError },
): Promise<void> {
  for (const call of calls.filter(isPaid)) to.outcomes.set(call, { status: 'rejected', reason: to.error });
  const free = calls.filter((call) => !isPaid(call));
  await answer(ctx, free, { ...to, contract: 'SEPARATE', settle: async () => 0 });
}

function keep(
  outcomes: Map<PreparedCall, Outcome>,
  calls: readonly PreparedCall[],
  found: readonly Outcome[],
): void {
  for (const [place, call] of calls.entries()) outcomes.set(call, found[place]!);
}

const isPaid = ({ promised }: PreparedCall): boolean => promised.scores > 0 || promised.isDecision;

const membersOf = (calls: readonly PreparedCall[]): string[] => [
  ...new Set(calls.flatMap(({ memberId }) => memberId ?? [])),
];

/** Fails a call whose member is refused. */
function fail(
  outcomes: Map<PreparedCall, Outcome>,
  call: PreparedCall,
  refused: ReadonlyMap<string, AppError>,
): boolean {
  const reason = call.memberId ? refused.get(call.memberId) : undefined;
  if (reason) outcomes.set(call, { status: 'rejected', reason });
  return reason !== undefined;
}

/** Where answers go, and how they are charged. */
interface Destination {
  readonly outcomes: Map<PreparedCall, Outcome>;
  readonly contract: DecisionScores;
  readonly settle: Settle;
  /** When it was asked whether the members may be processed. */
  readonly askedAt: Date;
}

async function answer(ctx: Context, calls: readonly PreparedCall[], to: Destination): Promise<void> {
  const ran = await inLanes(LANES, calls, (call) => call.run(ctx));
  const found: Answered[] = [];
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

/** Without those whose member was restricted or erased meanwhile; asked again where the work took a while. */
async function stillAllowed(
  ctx: Context,
  found: readonly Answered[],
  { outcomes, askedAt }: Destination,
): Promise<readonly Answered[]> {
  if (ctx.clock.now().getTime() - askedAt.getTime() < ASK_AGAIN_MS) return found;
  const analysed = found.filter(({ finding }) => finding.cutoff).map(({ call }) => call);
  const refused = await refusedConsumers(ctx, membersOf(analysed));
  return found.filter(({ call }) => !fail(outcomes, call, refused));
}

/**
 * The answers with what each adds to the charge of all, which is what each costs; test mode is free.
 * What is kept of them is about members only.
 */
function charged(
  ctx: Context,
  answered: readonly Answered[],
  contract: DecisionScores,
): { readonly results: CapabilityResult[]; readonly analyses: NewAnalysis[]; readonly total: number } {
  const [now, isFree] = [ctx.clock.now(), ctx.scope.mode === 'TEST'];
  const results: CapabilityResult[] = [];
  const analyses: NewAnalysis[] = [];
  let total = 0;
  for (const [place, { call, finding }] of answered.entries()) {
    const soFar = answered.slice(0, place + 1).map((each) => each.finding.answered);
    const credits = (isFree ? 0 : chargeOf(soFar, contract)) - total;
    total += credits;
    const id = newId(ctx.clock);
    const result = resultOf(finding, { analysisId: id, computedAt: now, creditsCharged: credits });
    results.push(result);
    const { status, cutoff: sourceCutoff, isState = false, modelVersion } = finding;
    if (!call.memberId || !sourceCutoff || !modelVersion) continue;
    const about = { memberId: call.memberId, status, sourceCutoff, isState };
    const { actor } = ctx.caller;
    analyses.push({ ...about, id, capability: call.name, result, credits, modelVersion, actor });
  }
  return { results, analyses, total };
}
