import { AppError, type InputFault, inputFaults } from './errors.ts';

/** Wrong fields that one answer lists. */
export const FAULTS_MAX = 50;

/**
 * Runs one check. Where it refuses a field, the others run all the same: its result, which is then undefined,
 * may be put into an object, but nothing is decided on it.
 */
export type Check = <T>(check: () => T) => T;

/**
 * Runs several checks of a request and refuses all wrong fields at once: the error is the first refusal, and
 * `details.errors` has every one, at most 50.
 *
 * @param read - runs each check by the function that it is given; what it throws itself counts, too
 * @throws AppError of the first check that refused; whatever else `read` throws if nothing was refused
 */
export function gathered<T>(read: (check: Check) => T): T {
  const refusals: AppError[] = [];
  const check: Check = (run) => {
    try {
      return run();
    } catch (error) {
      if (!isInputError(error)) throw error;
      refusals.push(error);
      // One that is full has been sent often enough.
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
 * The same where some fields can only be checked against the database, which valid input is later: their
 * faults are looked for once `read` has refused others.
 *
 * @param later - throws for what is wrong with the other fields
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

/** The first refusal, with the wrong fields of all. */
function together(refusals: readonly AppError[]): AppError {
  const first = refusals[0]!;
  const errors = faultsOf(refusals);
  if (errors.length < 2) return first;
  return new AppError(first.category, first.code, first.message, {
    ...first.details,
    errors: errors.slice(0, FAULTS_MAX),
  });
}

/** Each field once: what is said of it first is what must be corrected first. */
function faultsOf(refusals: readonly AppError[]): InputFault[] {
  const byField = new Map<string, InputFault>();
  for (const fault of refusals.flatMap(inputFaults))
    if (!byField.has(fault.field)) byField.set(fault.field, fault);
  return [...byField.values()];
}
