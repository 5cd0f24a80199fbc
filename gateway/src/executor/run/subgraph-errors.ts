import type { ErrorReason } from '@loyalty/platform/base/error-reasons';
import type { Data, Path, PlanError, PlanRun } from './plan-run.ts';

/** Maximum of errors that one answer of a subgraph may add to the client's. */
const ERRORS_MAX = 100;

/** An error as described by a subgraph. */
interface Described {
  readonly message: string;
  /** Undefined if the subgraph gives no path, null if its value is not a path. */
  readonly path: Path | null | undefined;
  readonly extensions: PlanError['extensions'];
}

/** Paths in the client's answer for errors of one answer. */
export interface Places {
  /** The subgraph that answered. */
  readonly subgraph: string;
  /** Returns the paths in the client's answer for a path of the subgraph's answer; empty if there is none. */
  of(path: Path): readonly Path[];
  /** Returns the path of the whole request; undefined for the root. */
  readonly whole: () => Path | undefined;
}

/**
 * Adds the errors of a subgraph's answer, in whatever form they were sent. An error at a path that was not
 * requested is moved to the whole request. Entries that are not errors are replaced by one error there.
 *
 * @returns whether there are errors
 */
export function addErrors(run: PlanRun, given: unknown, places: Places): boolean {
  if (given === undefined || given === null) return false;
  const found: PlanError[] = [];
  let isUndescribed = !Array.isArray(given);
  for (const each of Array.isArray(given) ? given : []) {
    const described = read(each);
    if (described) found.push(...placed(described, places));
    else isUndescribed = true;
    if (found.length > ERRORS_MAX) break;
  }
  const isTooMany = found.length > ERRORS_MAX;
  run.errors.push(...found.slice(0, isTooMany || isUndescribed ? ERRORS_MAX - 1 : ERRORS_MAX));
  if (isTooMany) addFault(run, places, `more than ${ERRORS_MAX} errors`, 'SUBGRAPH_ERRORS_TOO_MANY');
  else if (isUndescribed) {
    addFault(run, places, 'errors it did not describe', 'SUBGRAPH_ERRORS_UNDESCRIBED');
  }
  return found.length > 0 || isUndescribed;
}

/** Adds the error for an answer that does not match the request. */
export function addUnreadable(run: PlanRun, places: Omit<Places, 'of'>, cause?: unknown): void {
  addFault(run, places, 'something else than it was asked', 'SUBGRAPH_ANSWER_INVALID', cause);
}

function addFault(
  run: PlanRun,
  { subgraph, whole }: Omit<Places, 'of'>,
  what: string,
  reason: ErrorReason,
  cause?: unknown,
): void {
  const path = whole();
  const message = `The subgraph ${subgraph} answered with ${what}.`;
  run.errors.push({
    message,
    ...(path && { path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR', reason },
  });
  run.faults.push({ message, ...(path && { path }), ...(cause !== undefined && { cause }) });
}

function read(error: unknown): Described | null {
  if (!isRecord(error)) return null;
  const { message, path, extensions } = error;
  if (typeof message !== 'string' || message === '') return null;
  const known = isPath(path) ? path : null;
  return {
    message,
    path: path === undefined || path === null ? undefined : known,
    extensions: extensionsOf(extensions),
  };
}

/** `http` of a subgraph describes its own response, so it is removed. */
function extensionsOf(given: unknown): PlanError['extensions'] {
  if (!isRecord(given)) return undefined;
  const { http: _, ...extensions } = given;
  return extensions;
}

function placed({ message, path, extensions }: Described, { of, whole }: Places): PlanError[] {
  if (path === undefined) return [{ message, extensions }];
  const known = path ? of(path) : [];
  const at = known.length > 0 ? known : [whole()];
  return at.slice(0, ERRORS_MAX + 1).map((each) => ({ message, ...(each && { path: each }), extensions }));
}

const isPath = (path: unknown): path is Path =>
  Array.isArray(path) &&
  path.length > 0 &&
  path.every((key) => typeof key === 'string' || (Number.isSafeInteger(key) && key >= 0));

/** Returns whether the value is a JSON object. */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
