import type { Services } from '../context.ts';

/**
 * Maximum of workers that may be lost with the same piece of work. Then it is given up, because it may be the
 * cause.
 */
export const CLAIMS_MAX = 2;

/** Reason code of work that was given up. */
export const WORKER_LOST = 'WORKER_LOST';

/** The same reason for people. */
export const WORKER_LOST_SENTENCE = `${CLAIMS_MAX} workers were lost while they had it.`;

/** Work with the number of claims since its last progress, including the current one. */
export interface Claimed {
  readonly claims: number;
}

/** True if a worker was lost with this work. */
const isSuspect = ({ claims }: Claimed): boolean => claims > 1;

/** True if the work must be given up instead of being run again. */
export const isGivenUp = ({ claims }: Claimed): boolean => claims > CLAIMS_MAX;

/**
 * SQL condition for the rows of a CTE, with `id` and `claims`, that may be claimed: rows without a lost
 * worker, and at most one row with a lost worker.
 *
 * @param due - name of the CTE
 * @param allowed - placeholder of `maySuspect` in the statement, such as `$3`
 */
export const mayBeTaken = (due: string, allowed: string): string =>
  `(${due}.claims = 0 OR (
     ${allowed}::boolean AND ${due}.id = (SELECT id FROM ${due} WHERE claims > 0 LIMIT 1)))`;

/** Processes that are running a suspect piece of work. */
const busy = new WeakSet<Services>();

/**
 * Claims work. A process runs at most one piece at a time that has lost a worker. So if the process ends
 * again, no other work is suspected.
 *
 * @param claim - claims work; `maySuspect` is true if it may claim a piece that has lost a worker
 * @returns the claimed work, and `ended`, which must be called after all of it has ended in any way
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
