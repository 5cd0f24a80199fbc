import { HOUR_MS } from '@loyalty/platform/base/clock';
import { instantOf, offsetsOf } from '@loyalty/platform/base/zoned-days';

/** The offset of the time zone that is furthest ahead. */
const FIRST_OFFSET_MS = 14 * HOUR_MS;

/** Returns the offset of a time zone. If this machine does not know the time zone, it counts as UTC. */
function offsetOf(timeZone: string): (ms: number) => number {
  try {
    return offsetsOf(timeZone);
  } catch {
    return () => 0;
  }
}

/** Returns the local time of an instant in a time zone, as if it were UTC. */
const wallClock = (at: Date, timeZone: string): number => at.getTime() + offsetOf(timeZone)(at.getTime());

/**
 * Returns the instant at which another time zone has the same local time that the workspace has at an
 * instant. A local time that clocks skip counts as one hour later. If clocks show it twice, the first one
 * counts.
 */
export function localTime(at: Date, workspaceZone: string, timeZone: string): Date {
  return new Date(instantOf(wallClock(at, workspaceZone), offsetOf(timeZone)));
}

/**
 * Returns the first instant at which any time zone has the local time that the workspace has at an instant.
 */
export const firstLocalTime = (at: Date, workspaceZone: string): Date =>
  new Date(wallClock(at, workspaceZone) - FIRST_OFFSET_MS);
