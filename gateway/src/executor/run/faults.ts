import type { Log } from '@loyalty/platform/observe/log';
import type { PlanRun } from './plan-run.ts';

/** Maximum of logged faults per answer. */
const LOGGED_MAX = 10;

/**
 * Logs the faults of subgraphs under the id of the request, because clients see few details besides that id.
 */
export function logFaults({ faults, from: { requestId } }: Pick<PlanRun, 'faults' | 'from'>, log: Log): void {
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
