import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { ErrorCategory } from '@loyalty/platform/base/error-reasons';
import { AppError, forbidden, httpStatus, invalid } from '@loyalty/platform/base/errors';
import { lengthFrom1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import { countInWindow, windowRefusal } from '@loyalty/platform/identity/write-guard';
import { answerCalls, type CallOutcome } from './answers.service.ts';
import { getCapability } from './capabilities.service.ts';
import type { PreparedCall } from './capability.ts';
import type { CapabilityResult } from './finding.ts';

const ITEMS_MAX = 20;
const ITEMS_PER_MINUTE = 60;
const ID_LENGTH_MAX = 200;

export interface CapabilityRequest {
  /** The caller's own id of the request. */
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
}

export interface CapabilityBatchItem {
  readonly id: string;
  readonly isOk: boolean;
  /** HTTP status. */
  readonly status: number;
  readonly result: CapabilityResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface CapabilityBatch {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly CapabilityBatchItem[];
}

/**
 * Calls up to 20 capabilities, three at a time. Results keep their order; a failed call does not affect the
 * others. Paged ones return one page. All calls are paid together, with at most one decision.
 *
 * @throws AppError VALIDATION_FAILED (400) for a malformed batch, GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503),
 *   all before any call
 * @remarks Source: model API, section 4 "Capabilities", batch rules; requirements M-CAP-10 to M-CAP-21
 */
export async function callCapabilities(
  ctx: Context,
  requests: readonly CapabilityRequest[],
): Promise<CapabilityBatch> {
  checkEnvelope(requests);
  const window = {
    workspaceId: ctx.scope.workspaceId,
    subject: ctx.caller.actor,
    guard: 'capability-batch',
    windowMs: MINUTE_MS,
    limit: ITEMS_PER_MINUTE,
  };
  const passed = await countInWindow(ctx, window, requests.length);
  const prepared = requests.map((request, place) =>
    place < passed ? prepare(ctx, request) : windowRefusal(ctx, window),
  );
  const calls = prepared.filter((each) => !(each instanceof AppError));
  const outcomes = await answerCalls(ctx, calls, 'Batch of capabilities');
  const outcomeOf = new Map(calls.map((call, place) => [call, outcomes[place]!]));
  const results = requests.map(({ id }, place) => {
    const each = prepared[place]!;
    return each instanceof AppError ? failed(id, each) : itemOf(ctx, id, outcomeOf.get(each)!);
  });
  const succeeded = results.filter(({ isOk }) => isOk).length;
  return { total: results.length, succeeded, failed: results.length - succeeded, results };
}

function checkEnvelope(requests: readonly CapabilityRequest[]): void {
  if (requests.length === 0 || requests.length > ITEMS_MAX)
    throw invalid('requests', `must have 1 to ${ITEMS_MAX} items`);
  const seen = new Set<string>();
  for (const [place, { id }] of requests.entries()) {
    const field = `requests[${place}].id`;
    if (id.trim().length === 0 || id.length > ID_LENGTH_MAX)
      throw invalid(field, lengthFrom1To(ID_LENGTH_MAX));
    if (seen.has(id)) throw invalid(field, 'must be unique in the batch');
    seen.add(id);
  }
}

/** The prepared call, or the error that refuses it. */
function prepare(ctx: Context, request: CapabilityRequest): PreparedCall | AppError {
  try {
    const found = getCapability(ctx, request.name);
    if (!found.isBatchable)
      throw forbidden('NOT_ALLOWED_IN_BATCH', 'This is recorded by single calls only. Call it by itself.');
    return found.prepare(request.arguments === undefined ? {} : request.arguments);
  } catch (error) {
    return readAppError(error as Error, ctx);
  }
}

const itemOf = (ctx: Context, id: string, outcome: CallOutcome): CapabilityBatchItem =>
  outcome.status === 'rejected'
    ? failed(id, readAppError(outcome.reason as Error, ctx))
    : { id, isOk: true, status: 200, result: outcome.value, error: null };

/** Error codes of items are coarser than those of single calls; other categories keep their own code. */
const itemCodes: Partial<Record<ErrorCategory, string>> = {
  BAD_USER_INPUT: 'INVALID_ARGUMENTS',
  NOT_FOUND: 'NOT_FOUND',
};

function failed(id: string, { category, code, message }: AppError): CapabilityBatchItem {
  const itemCode = code === 'SCOPE_MISSING' ? 'FORBIDDEN' : (itemCodes[category] ?? code);
  const error = { code: itemCode, message };
  return { id, isOk: false, status: httpStatus[category], result: null, error };
}
