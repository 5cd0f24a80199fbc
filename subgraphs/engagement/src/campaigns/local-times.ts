import { HOUR_MS } from '@loyalty/platform/base/clock';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';

/** The offset of the time zone that is furthest ahead. */
const FIRST_OFFSET_MS = 14 * HOUR_MS;

type Offset = (ms: number) => number;

const offsets = new Map<string, Offset>();

/**
 * Returns the offset of a time zone. Cached, because there are only a few hundred. An unknown time zone
 * counts as UTC.
 */
function offsetOf(timeZone: string): Offset {
  const known = offsets.get(timeZone);
  if (known) return known;
  let offset: Offset = () => 0;
  try {
    offset = offsetsOf(timeZone);
  } catch {
    // This machine does not know the time zone.
  }
  offsets.set(timeZone, offset);
  return offset;
}

/** Returns the local time of an instant in a time zone, as if it were UTC. */
const wallClock = (at: Date, timeZone: string): number => at.getTime() + offsetOf(timeZone)(at.getTime());

/**
 * Returns the instant at which another time zone has the same local time that the workspace has at an
 * instant. A local time that clocks skip counts as one hour later. If clocks show it twice, the first one
 * counts.
 */
export function localTime(at: Date, workspaceZone: string, timeZone: string): Date {
  const wall = wallClock(at, workspaceZone);
  const offset = offsetOf(timeZone);
  const guesses = [wall - offset(wall - FIRST_OFFSET_MS), wall - offset(wall + FIRST_OFFSET_MS)];
  const exact = guesses.filter((ms) => ms + offset(ms) === wall);
  return new Date(Math.min(...(exact.length > 0 ? exact : [Math.max(...guesses)])));
}

/**
 * Returns the first instant at which any time zone has the local time that the workspace has at an instant.
 */
export const firstLocalTime = (at: Date, workspaceZone: string): Date =>
  new Date(wallClock(at, workspaceZone) - FIRST_OFFSET_MS);
