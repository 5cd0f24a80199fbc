import type { Services } from '../context.ts';

/** Work that so many workers took and lost is given up: it may be what they died of. */
export const CLAIMS_MAX = 2;

/** The reason of work that was given up. */
export const WORKER_LOST = 'WORKER_LOST';

/** The same for people. */
export const WORKER_LOST_SENTENCE = `${CLAIMS_MAX} workers were lost while they had it.`;

/** Work with how often it was taken since it last got on, this time included. */
export interface Claimed {
  readonly claims: number;
}

/** A worker had it before and was lost. */
const isSuspect = ({ claims }: Claimed): boolean => claims > 1;

/** It is given up instead of being done once more. */
export const isGivenUp = ({ claims }: Claimed): boolean => claims > CLAIMS_MAX;

/**
 * Which rows of a CTE, with `id` and `claims`, a claim may take: of those that lost a worker one at most.
 *
 * @param due - the name of the CTE
 * @param allowed - the place of `maySuspect` in the statement, such as `$3`
 */
export const mayBeTaken = (due: string, allowed: string): string =>
  `(${due}.claims = 0 OR (
     ${allowed}::boolean AND ${due}.id = (SELECT id FROM ${due} WHERE claims > 0 LIMIT 1)))`;

/** Processes that have a suspect under way. */
const busy = new WeakSet<Services>();

/**
 * Claims work so that of all that lost a worker a process has one piece under way at a time: should the
 * process end once more, nothing else is blamed for it.
 *
 * @param claim - claims; `maySuspect` says whether it may take a piece that lost a worker
 * @returns what was claimed, and what to call once all of it has ended in any way
 */
export async function claimWork<Work extends Claimed>(
  services: Services,
  claim: (maySuspect: boolean) => Promise<Work[]>,
): Promise<{ readonly claimed: Work[]; readonly suspect: Work | null; readonly ended: () => void }> {
  const maySuspect = !busy.has(services);
  if (maySuspect) busy.add(services);
  let isHeld = maySuspect;
  const ended = (): void => {
    if (isHeld) busy.delete(services);
    isHeld = false;
  };
  try {
    const claimed = await claim(maySuspect);
    const suspect = claimed.find(isSuspect) ?? null;
    if (!suspect) ended();
    return { claimed, suspect, ended };
  } catch (error) {
    ended();
    throw error;
  }
}
