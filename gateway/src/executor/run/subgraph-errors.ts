import type { ErrorReason } from '@loyalty/platform/base/error-reasons';
import type { Data, Path, PlanError, PlanRun } from './plan-run.ts';

/** Errors that one answer of a subgraph may add to the client's. */
const ERRORS_MAX = 100;

/** An error as a subgraph described it. */
interface Described {
  readonly message: string;
  /** Undefined where the subgraph does not say, null where what it says is no path. */
  readonly path: Path | null | undefined;
  readonly extensions: PlanError['extensions'];
}

/** The places of errors of one answer. */
export interface Places {
  /** The subgraph that answered. */
  readonly subgraph: string;
  /** The places in the client's answer for a path of the subgraph's answer; empty where there is none. */
  of(path: Path): readonly Path[];
  /** The place of the whole request; undefined for the root. */
  readonly whole: () => Path | undefined;
}

/**
 * Adds the errors of a subgraph's answer, whatever was sent as errors. An error whose path was not asked for
 * is placed at the whole request. So is one error that says that something sent was no error.
 *
 * @returns whether there is any
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

/** Adds the error for an answer that does not fit the request. */
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

/** `http` of a subgraph is about its own response, not about ours. */
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

/** Whether it is an object of JSON. */
export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
