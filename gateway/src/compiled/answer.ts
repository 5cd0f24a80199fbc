import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../transport.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import type { Data, Path, PlanError, Run } from './run.ts';
import type { Violation } from './shape.ts';

/** Data as the client asked for it, and every error of every subgraph on the client's own paths. */
export interface Answer {
  /** Absent where the operation was refused before it ran. */
  readonly data?: Data | null;
  readonly errors?: readonly PlanError[];
}

export const newRun = (variables: Variables, conditions: Variables, from: Request): Run => ({
  data: {},
  variables,
  conditions,
  errors: [],
  from,
});

/** The client's answer of what a run has gathered. */
export function answerOf({ shape, introspect }: CompiledOperation, run: Run): Answer {
  const introspection = introspect ? introspect(run.variables) : {};
  const { data, violations } = shape(run.data, run.conditions, introspection);
  const errors = violations.length > 0 ? [...run.errors, ...unexplained(violations, run.errors)] : run.errors;
  return errors.length > 0 ? { data, errors } : { data };
}

/** A null that an error already tells of needs no second one; an error without a path tells of everything. */
function unexplained(violations: readonly Violation[], errors: readonly PlanError[]): PlanError[] {
  if (errors.some(({ path }) => path === undefined)) return [];
  const told = errors.map(({ path }) => path!);
  return violations
    .filter(({ path }) => !told.some((known) => isRelated(known, path!)))
    .map((violation) => ({ ...violation, extensions: { code: 'INTERNAL_SERVER_ERROR' } }));
}

/** Whether one path leads to or through the other. */
function isRelated(a: Path, b: Path): boolean {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
