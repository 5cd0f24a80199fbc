import { HOUR_MS } from '@loyalty/platform/base/clock';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';

/** Where clocks are furthest ahead. */
const FIRST_OFFSET_MS = 14 * HOUR_MS;

type Offset = (ms: number) => number;

const offsets = new Map<string, Offset>();

/** Remembered, as there are few hundred zones; one that this machine does not know counts as UTC. */
function offsetOf(timeZone: string): Offset {
  const known = offsets.get(timeZone);
  if (known) return known;
  let offset: Offset = () => 0;
  try {
    offset = offsetsOf(timeZone);
  } catch {
    // A zone of another machine.
  }
  offsets.set(timeZone, offset);
  return offset;
}

/** What a clock in the time zone shows at an instant, as if it were UTC. */
const wallClock = (at: Date, timeZone: string): number => at.getTime() + offsetOf(timeZone)(at.getTime());

/**
 * When clocks of another time zone show what those of the workspace show at an instant. A time that clocks
 * skip there counts as one hour later; of a time that they show twice the first counts.
 */
export function localTime(at: Date, workspaceZone: string, timeZone: string): Date {
  const wall = wallClock(at, workspaceZone);
  const offset = offsetOf(timeZone);
  const guesses = [wall - offset(wall - FIRST_OFFSET_MS), wall - offset(wall + FIRST_OFFSET_MS)];
  const exact = guesses.filter((ms) => ms + offset(ms) === wall);
  return new Date(Math.min(...(exact.length > 0 ? exact : [Math.max(...guesses)])));
}

/** The first moment at which a clock anywhere shows what those of the workspace show at an instant. */
export const firstLocalTime = (at: Date, workspaceZone: string): Date =>
  new Date(wallClock(at, workspaceZone) - FIRST_OFFSET_MS);
