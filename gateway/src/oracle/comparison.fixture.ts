import type { ExecutorFailure, ExecutorOutcome } from './case.fixture.ts';
import { canonical } from './hash.fixture.ts';

/** Returns the differences between our outcome and the right one; empty if there are none. */
export function differences(right: ExecutorOutcome, ours: ExecutorOutcome): string[] {
  return [
    ...(canonical(right.data) === canonical(ours.data) ? [] : ['data']),
    ...(canonical(right.mutations) === canonical(ours.mutations) ? [] : ['order of mutations']),
    ...ours.invalid.map((request) => `invalid request: ${request}`),
    ...errorDifferences(right, ours),
  ];
}

/**
 * Errors are compared by path. Errors without a place in the answer only need counterparts, because executors
 * differ in how many they make of one failed fetch. Our executor reports an unexplained null in a non-null
 * position as an error; Apollo lists it separately. If nothing is answered, an error of one field of the
 * operation explains that the others are missing, as in graphql-js.
 */
function errorDifferences(right: ExecutorOutcome, ours: ExecutorOutcome): string[] {
  const known = located(right.errors);
  const answered = ours.errors.filter(({ message }) => !isOnlyOurs(message));
  const given = located(answered);
  const violations = located(right.violations);
  const isVague = known.length < right.errors.length;
  const missing = without(known, given, samePlace);
  const surplus = without(without(given, known, samePlace), violations);
  const lost = ours.errors.filter(({ message }) => ofLostAnswer.test(message));
  const explained = [...known, ...given, ...located(lost)];
  const isNothing = right.data === null && known.length > 0;
  const unexplained =
    isVague || lost.some(({ path }) => !path)
      ? []
      : violations.filter((path) => {
          const isField = !path.includes('.');
          return !(isNothing && isField) && !explained.some((other) => isRelated(path, other));
        });
  return [
    ...missing.map((path) => `error missing at ${path}`),
    ...(isVague ? [] : surplus.map((path) => `error too many at ${path}`)),
    ...unexplained.map((path) => `null not reported at ${path}`),
    ...(isVague && ours.errors.length === 0 ? ['no error at all'] : []),
    ...(!isVague && answered.some(({ path }) => !path) ? ['an error without path'] : []),
  ];
}

/**
 * Returns errors of our executor that are not at the object that failed.
 *
 * @param idents - the identities in the whole graph at each path
 */
export const misplaced = (ours: ExecutorOutcome, idents: ReadonlyMap<string, string>): string[] =>
  ours.errors.flatMap(({ message, path }) => {
    const failed = / fails in \w+$/.test(message) ? message.split('.', 1)[0] : undefined;
    const there = path && idents.get(path.slice(0, -1).join('.'));
    const isElsewhere = failed && there && failed.includes(':') && failed !== there;
    return isElsewhere && !there.startsWith(failed)
      ? [`${message}, placed at ${path.join('.')}, which is ${there}`]
      : [];
  });

/**
 * If the type of an interface object stays unknown, Apollo returns null without an error; our executor
 * returns an error.
 */
const ofUnknownType = /^Cannot return null for non-nullable field \w+\.__typename\.$/;
/** The same if a subgraph answers with neither data nor errors. */
const ofLostAnswer = /answered with something else than it was asked\.$/;
const isOnlyOurs = (message: string): boolean => ofUnknownType.test(message) || ofLostAnswer.test(message);

/** Returns the paths, as text, of the errors with a place in the answer. */
const located = (failures: readonly ExecutorFailure[]): string[] =>
  failures.flatMap(({ path }) =>
    path && !path.includes('@') && !path.includes('_entities') ? [path.join('.')] : [],
  );

const isRelated = (a: string, b: string): boolean =>
  `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);

/**
 * Apollo miscounts elements of a list if it sent only some of them, so indexes are ignored here; `misplaced`
 * checks ours.
 */
const samePlace = (path: string): string => path.replaceAll(/\.\d+/g, '.*');

/** Subtracts the second list from the first, counting duplicates; equal elements come first. */
function without(
  all: readonly string[],
  less: readonly string[],
  alike: (path: string) => string = String,
): string[] {
  const left = [...less];
  const take = (same: (each: string) => string) => (each: string) => {
    const at = left.findIndex((other) => same(other) === same(each));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  };
  return all.filter(take(String)).filter(take(alike));
}
