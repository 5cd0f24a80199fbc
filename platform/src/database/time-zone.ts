import { performance } from 'node:perf_hooks';
import { AppError, invalid } from '../base/errors.ts';
import { inputRule } from '../base/input-rules.ts';
import type { Context, Services } from '../context.ts';
import { questions } from '../peers.ts';

/** Cache time of a time zone in ms, and maximum of cached workspaces. */
const KEPT_MS = 5_000;
const KEPT_MAX = 10_000;

/** The time zone of a workspace that does not exist yet, because it is being created. */
const NEW_WORKSPACE = 'UTC';

interface Kept {
  readonly timeZone: string;
  /** Expiry by `performance.now()`. */
  readonly until: number;
}
const kept = new WeakMap<Services['peers'], Map<string, Kept>>();

/**
 * Returns the IANA time zone of the caller's workspace; the value may be some seconds old. Statistics store
 * the time zone in which they were aggregated. So rows of two time zones never mix, and statistics are
 * aggregated again after a change is seen.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function timeZoneOf(ctx: Context): Promise<string> {
  const { workspaceId } = ctx.scope;
  const { peers } = ctx.services;
  const zones = kept.get(peers) ?? new Map<string, Kept>();
  kept.set(peers, zones);
  const known = zones.get(workspaceId);
  if (known && known.until > performance.now()) return known.timeZone;
  const timeZone = await askTimeZone(ctx);
  if (!timeZone) return NEW_WORKSPACE;
  if (zones.size >= KEPT_MAX) zones.clear();
  zones.set(workspaceId, { timeZone, until: performance.now() + KEPT_MS });
  return timeZone;
}

async function askTimeZone(ctx: Context): Promise<string | null> {
  try {
    const { workspace } = await ctx.services.peers.ask(ctx, 'workspace', questions.TimeZone, {});
    return workspace.timeZone;
  } catch (error) {
    if (error instanceof AppError && error.category === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * Validates an IANA time zone, such as Europe/Lisbon.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field
 */
export function checkTimeZone(field: string, text: string): string {
  const name = text.trim();
  // Offsets such as +02:00 have no daylight saving time.
  if (/^[A-Za-z]/.test(name) && isTimeZone(name)) return name;
  throw invalid(field, inputRule('TIME_ZONE', 'must be an IANA time zone such as Europe/Lisbon'));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
