import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { isUuid } from '@loyalty/platform/ids';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/pages';
import {
  type Call,
  callsPage,
  countCalls,
  deleteCallsBefore,
  insertCalls,
  latestCalls,
  type RecordedCall,
} from './call-log.store.ts';

export type { Call };

const CALLS_MAX = 5_000;
const KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 5_000;

const actorOf = (apiKeyId: string): string => `key:${apiKeyId}`;

/**
 * Calls of the workspace's credentials, newest first, optionally of one key.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: v2 REST API, section 5.5
 */
export async function listCalls(
  ctx: Context,
  args: PageArgs & { readonly apiKeyId?: string | null | undefined },
): Promise<Page<Call>> {
  return callsPage(ctx, pageRequest(args), args.apiKeyId ? actorOf(args.apiKeyId) : null);
}

/**
 * The latest calls of a key; asked for many keys at once it is still one statement.
 *
 * @throws AppError VALIDATION_FAILED (400) for a page out of bounds
 */
export async function recentCalls(ctx: Context, apiKeyId: string, first: number): Promise<Page<Call>> {
  const request = pageRequest({ first });
  const actor = actorOf(apiKeyId);
  const rows = (await ctx.load(latestCalls, `${request.size + 1} ${actor}`)) ?? [];
  return page(request, rows, () => countCalls(ctx, actor));
}

/**
 * Writes calls that gateways saw, whatever their workspaces, and when each key was last used.
 *
 * @returns how many were written
 * @throws AppError VALIDATION_FAILED (400) for more than 5,000 calls
 */
export async function recordCalls(
  ctx: Context,
  calls: readonly (Omit<RecordedCall, 'mode'> & {
    readonly mode?: RecordedCall['mode'] | null | undefined;
  })[],
): Promise<number> {
  if (calls.length > CALLS_MAX) throw invalid('calls', `must be at most ${CALLS_MAX}`);
  const stray = calls.findIndex(({ workspaceId }) => !isUuid(workspaceId));
  if (stray >= 0) throw invalid(`calls[${stray}].workspaceId`, 'must be a UUID');
  if (calls.length === 0) return 0;
  return insertCalls(
    ctx,
    calls.map((call) => ({ ...call, mode: call.mode ?? 'LIVE' })),
  );
}

/** Forgets calls after 90 days, in batches that hold no lock for long. */
export async function pruneCalls(ctx: Context): Promise<void> {
  const before = addMs(ctx.clock.now(), -KEPT_MS);
  while ((await deleteCallsBefore(ctx, before, PRUNE_BATCH)) === PRUNE_BATCH);
}
