import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Violation } from '../codegen/shape.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import type { Data, Path, PlanError, PlanRun } from './plan-run.ts';

/** The data in the form of the client's operation, and all errors of subgraphs at the client's paths. */
export interface Answer {
  /** Missing if the operation was refused before it ran. */
  readonly data?: Data | null;
  readonly errors?: readonly PlanError[];
}

export const newPlanRun = (variables: Variables, conditions: Variables, from: Request): PlanRun => ({
  data: {},
  variables,
  conditions,
  errors: [],
  faults: [],
  unknown: [],
  lost: [],
  from,
});

/** Builds the client's answer from the data of a run. */
export function answerOf({ shape, introspect }: CompiledOperation, run: PlanRun): Answer {
  const introspection = introspect ? introspect(run.variables) : {};
  const { data, violations } = shape(run.data, run.conditions, introspection);
  if (violations.length > 0) {
    const unexplained = withoutUnknown(unexplainedBy(run.errors, violations), run, data);
    const isLost = lostIn(run);
    run.faults.push(...unexplained.filter((violation) => !isLost(violation)));
    // Root fields are excluded: they did not run, or their results were dropped, because of a reported error.
    const added = unexplained.filter((violation) => violation.path.length > 1 || !isLost(violation));
    const extensions = { code: 'INTERNAL_SERVER_ERROR' };
    run.errors.push(...added.map((violation) => ({ ...violation, extensions })));
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

/** Removes violations that an error already explains. An error without a path explains every null. */
function unexplainedBy(errors: readonly PlanError[], violations: readonly Violation[]): readonly Violation[] {
  if (errors.some(({ path }) => path === undefined)) return [];
  const explained = errors.map(({ path }) => path!);
  return violations.filter(({ path }) => !explained.some((known) => isRelated(known, path)));
}

/**
 * Returns a function that checks whether a field is missing because a subgraph returned no data of its
 * object, with errors at other fields. Example: a mutation whose second field is refused also returns no
 * first field. This is no fault of the subgraph.
 */
function lostIn({ lost }: PlanRun): (violation: Violation) => boolean {
  const objects = lost.map(({ paths, names }) => ({ at: new Set(paths().map(textOf)), names: names?.() }));
  return ({ path }) => {
    const [object, name] = [textOf(path.slice(0, -1)), path.at(-1) as string];
    return objects.some(({ at, names }) => at.has(object) && (!names || names.has(name)));
  };
}

/**
 * An entity that its subgraph does not know is null, if it is nullable. Its missing fields are then no fault.
 */
function withoutUnknown(
  violations: readonly Violation[],
  run: PlanRun,
  data: Data | null,
): readonly Violation[] {
  if (run.unknown.length === 0 || violations.length === 0) return violations;
  const unknown = new Set(run.unknown.flatMap((paths) => paths().map(textOf)));
  return violations.filter(({ path }) => {
    const entity = path.slice(0, -1);
    return !unknown.has(textOf(entity)) || !isNullAt(data, entity);
  });
}

const textOf = (path: Path): string => JSON.stringify(path);

/** Returns whether the value at the path is null while its parents are not. */
function isNullAt(data: Data | null, path: Path): boolean {
  let value: unknown = data;
  for (const key of path) {
    if (value === null || value === undefined) return false;
    value = (value as Data)[key];
  }
  return value === null;
}

/** Returns whether one path begins with the other. */
function isRelated(a: Path, b: Path): boolean {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
