import { AppError, type InputFault, inputFaults } from './errors.ts';

/** Maximum of wrong fields in one answer. */
export const FAULTS_MAX = 50;

/**
 * Runs one check. If it refuses a field, the remaining checks still run. Its result is then undefined: it may
 * be put into an object, but no decision may use it.
 */
export type Check = <T>(check: () => T) => T;

/**
 * Runs several checks of a request and refuses all wrong fields at once. The error is the first refusal;
 * `details.errors` lists all of them, at most 50.
 *
 * @param read - runs each check through the function that it receives; an input error that it throws itself
 *   is included
 * @throws AppError of the first check that refused; any other error of `read` if nothing was refused
 */
export function gathered<T>(read: (check: Check) => T): T {
  const refusals: AppError[] = [];
  const check: Check = (run) => {
    try {
      return run();
    } catch (error) {
      if (!isInputError(error)) throw error;
      refusals.push(error);
      // The list is full; further checks are not needed.
      if (faultsOf(refusals).length >= FAULTS_MAX) throw together(refusals);
      return undefined as never;
    }
  };
  let result: T;
  try {
    result = read(check);
  } catch (error) {
    if (isInputError(error)) refusals.push(error);
    else if (refusals.length === 0) throw error;
    throw together(refusals);
  }
  if (refusals.length > 0) throw together(refusals);
  return result;
}

/**
 * Like `gathered`, for input with fields that can only be checked against the database. Valid input is
 * checked there later anyway; `later` runs here only if `read` has refused other fields.
 *
 * @param later - throws the errors of the other fields
 */
export async function gatheredWith<T>(read: () => T, later: () => Promise<unknown>): Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!isInputError(error)) throw error;
    const more = await later().then(
      () => null,
      (fault: unknown) => fault,
    );
    throw isInputError(more) ? together([error, more]) : error;
  }
}

const isInputError = (error: unknown): error is AppError =>
  error instanceof AppError && error.category === 'BAD_USER_INPUT' && error.details.field !== undefined;

/** Returns the first refusal with the wrong fields of all refusals. */
function together(refusals: readonly AppError[]): AppError {
  const first = refusals[0]!;
  const errors = faultsOf(refusals);
  if (errors.length < 2) return first;
  return new AppError(first.category, first.code, first.message, {
    ...first.details,
    errors: errors.slice(0, FAULTS_MAX),
  });
}

/** Lists each field once, with its first fault, which must be corrected first. */
function faultsOf(refusals: readonly AppError[]): InputFault[] {
  const byField = new Map<string, InputFault>();
  for (const fault of refusals.flatMap(inputFaults))
    if (!byField.has(fault.field)) byField.set(fault.field, fault);
  return [...byField.values()];
}
