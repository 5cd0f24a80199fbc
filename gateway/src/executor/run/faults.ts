import type { Log } from '@loyalty/platform/observe/log';
import type { PlanRun } from './plan-run.ts';

/** Faults of one answer that are logged: the first ones say enough. */
const LOGGED_MAX = 10;

/** Logs what subgraphs did wrong, under the id of the request: clients see little more than that id. */
export function logFaults({ faults, from: { requestId } }: PlanRun, log: Log): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, LOGGED_MAX);
  log.error(
    {
      requestId,
      err: shown.find(({ cause }) => cause !== undefined)?.cause,
      faults: shown.map(({ message, path = [] }) => ({ message, path: path.join('.') })),
      count: faults.length,
    },
    'subgraphs answered what does not fit the graph',
  );
}
