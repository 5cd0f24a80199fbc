import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import { type AppError, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { cartPool, cutoffAt, statisticsPage } from '../facts/statistics.service.ts';
import { refusedConsumers } from '../members/members.service.ts';
import { workspaceFigures } from '../standard-model/fits.service.ts';
import { stateOf } from '../standard-model/present-state.ts';
import { scorePortOf } from '../standard-model/score-port.ts';
import { type StandardState, signalJson } from '../standard-model/standard-state.ts';
import { CURRENT_VERSION, type StandardVersion } from '../standard-model/standard-versions.ts';
import type { CartPool, Cutoff, WorkspaceFigures } from '../standard-model/statistics-block.ts';
import { type CapabilityRun, findRun, insertRun } from './at-risk-runs.store.ts';
import type { Finding, Json } from './finding.ts';

const NAME = 'model_list_at_risk_members';
const RUN_TTL_MS = 24 * HOUR_MS;
const THRESHOLD = 0.8;

/** Members whose statistics one statement reads. */
const BLOCK = 1_000;
/** The most members that one page reads: it ends early rather than exceed the time limit of requests. */
const SCANNED_MAX = 20_000;

interface Wanted {
  readonly run_id?: string | null | undefined;
  readonly after_member_id?: string | null | undefined;
  readonly limit: number;
  readonly threshold?: number | undefined;
  readonly model_version?: StandardVersion | undefined;
}

interface Listed {
  readonly memberId: string;
  readonly state: StandardState;
}

/** The progress of a page. */
interface PageScan {
  readonly listed: Listed[];
  /** The last member read. */
  cursor: string | null;
  scanned: number;
  /** Number of members read that have a long-gap signal. */
  scored: number;
  hasMore: boolean;
}

/**
 * Returns a page of the members whose long-gap signal reaches the threshold, sorted by id. The first page
 * starts a run, and all its pages have the run's cutoff and version. Restricted and erased members are left
 * out. A page that would read too many members ends early: it is short although another follows.
 *
 * @param wanted.threshold - 0 to 1, of the first page only; default 0.8
 * @param wanted.model_version - of the first page only. Default: the current one
 * @throws AppError RUN_NOT_FOUND (404) for a run that is unknown or over after 24 hours, INVALID_ARGUMENTS
 *   (400), MODEL_SERVICE_UNAVAILABLE (503)
 * @remarks Source: model API, section 2 "Capability", rule 4; requirements M-CAP-03, M-CAP-09
 */
export async function listAtRiskMembers(ctx: Context, wanted: Wanted): Promise<Finding> {
  const run = wanted.run_id ? await knownRun(ctx, wanted.run_id, wanted) : await newRun(ctx, wanted);
  const [cutoff, pool, figures] = await Promise.all([
    cutoffAt(ctx, run.sourceCutoff),
    cartPool(ctx),
    workspaceFigures(ctx),
  ]);
  const cursor = wanted.after_member_id ?? null;
  const scan: PageScan = { listed: [], cursor, scanned: 0, scored: 0, hasMore: true };
  while (scan.hasMore && scan.listed.length < wanted.limit && scan.scanned < SCANNED_MAX) {
    const { threshold, version } = run;
    await scanBlock(ctx, scan, { threshold, version, limit: wanted.limit, cutoff, pool, figures });
  }
  // If no member has the signal, an empty list would suggest that no member is at risk.
  const hasNoSignal = !cursor && scan.scored === 0 && !scan.hasMore;
  return findingOf(run, scan, hasNoSignal);
}

async function scanBlock(
  ctx: Context,
  scan: PageScan,
  of: {
    readonly threshold: number;
    readonly limit: number;
    readonly cutoff: Cutoff;
    readonly version: StandardVersion;
    readonly pool: CartPool;
    readonly figures: WorkspaceFigures;
  },
): Promise<void> {
  const after = { afterMemberId: scan.cursor, limit: BLOCK };
  const { memberIds: ids, block } = await statisticsPage(ctx, after, of.cutoff);
  const request = { members: block, cutoff: of.cutoff, options: of };
  const { scores } = await scorePortOf(ctx.services).score(request, ctx.request.signal);
  // NaN (members without the signal or without a score) reaches no threshold.
  const rows = ids.flatMap((_, row) => (scores.longGap[row]! >= of.threshold ? [row] : []));
  const refused = await refusedConsumers(
    ctx,
    rows.map((row) => ids[row]!),
  );
  const free = rows.filter((row) => !refused.has(ids[row]!));
  const taken = free.slice(0, of.limit - scan.listed.length);
  for (const row of taken) {
    scan.listed.push({ memberId: ids[row]!, state: stateOf(block, scores, row, of.cutoff) });
  }
  const isCut = taken.length < free.length;
  const last = isCut ? taken.at(-1)! : ids.length - 1;
  scan.cursor = ids[last] ?? scan.cursor;
  scan.scanned += last + 1;
  scan.scored += scores.longGap.subarray(0, last + 1).filter((value) => !Number.isNaN(value)).length;
  scan.hasMore = isCut || ids.length === BLOCK;
}

async function newRun(
  ctx: Context,
  { threshold = THRESHOLD, model_version: version = CURRENT_VERSION }: Wanted,
): Promise<CapabilityRun> {
  const now = ctx.clock.now();
  const run = { id: newId(ctx.clock), threshold, version, sourceCutoff: now };
  await insertRun(ctx, { ...run, capability: NAME, expiresAt: addMs(now, RUN_TTL_MS) });
  return run;
}

async function knownRun(
  ctx: Context,
  id: string,
  { threshold, model_version: version }: Wanted,
): Promise<CapabilityRun> {
  const run = await findRun(ctx, id, NAME);
  if (!run) throw notFound('run', id);
  if (threshold !== undefined && threshold !== run.threshold)
    throw otherThanFirst('threshold', run.threshold);
  if (version !== undefined && version !== run.version) throw otherThanFirst('model_version', run.version);
  return run;
}

const otherThanFirst = (name: string, first: number | string): AppError =>
  invalid(`arguments.${name}`, `must be ${first}, as in the first page`, 'INVALID_ARGUMENTS');

function findingOf(run: CapabilityRun, scan: PageScan, hasNoSignal: boolean): Finding {
  const { listed, cursor, scanned, scored, hasMore } = scan;
  const listedStatus = listed.some(({ state }) => state.longGap.status !== 'OK') ? 'DEGRADED' : 'OK';
  const limitations = listed.flatMap(({ state }) => state.longGap.reasons);
  const general = ['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL', ...(hasNoSignal ? ['INSUFFICIENT_HISTORY'] : [])];
  return {
    status: hasNoSignal ? 'UNAVAILABLE' : listedStatus,
    evidence: [
      { kind: 'members_scanned', value: scanned, observedAt: run.sourceCutoff },
      { kind: 'members_scored', value: scored, observedAt: run.sourceCutoff },
    ],
    limitations: [...new Set([...general, ...limitations])],
    modelVersion: run.version,
    data: {
      runId: run.id,
      hasMore,
      nextCursor: hasMore ? cursor : null,
      source_cutoff: run.sourceCutoff.toISOString(),
      threshold: run.threshold,
      members: listed.map(memberJson),
    },
    usage: { scores: listed.length, hasDecision: false },
  };
}

/** Each member has one score, which is charged. */
const memberJson = ({ memberId, state }: Listed): Json => ({
  member_id: memberId,
  long_gap: signalJson(state.longGap),
});
