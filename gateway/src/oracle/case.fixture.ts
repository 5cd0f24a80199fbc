import type { DocumentNode } from 'graphql';
import type { Faults } from './faults.fixture.ts';
import type { World } from './world.fixture.ts';

/** A generated operation. */
export interface Case {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface ExecutorFailure {
  readonly message: string;
  readonly path: readonly (string | number)[] | undefined;
}

/** The result of an executor for an operation. */
export interface ExecutorOutcome {
  readonly data: unknown;
  readonly errors: readonly ExecutorFailure[];
  /** Nulls in non-null positions, if an executor lists them separately: Apollo's `valueCompletion`. */
  readonly violations: readonly ExecutorFailure[];
  /** Root fields of mutations in execution order. */
  readonly mutations: readonly string[];
  /** Requests that a subgraph could not understand. */
  readonly invalid: readonly string[];
  /** The identity of the object at each path, if the executor knows it. */
  readonly idents?: ReadonlyMap<string, string>;
}

/** Runs a case; never rejects. */
export type ExecuteCase = (world: World, operation: Case, faults: Faults) => Promise<ExecutorOutcome>;

/** Returns the errors of a result as plain data. */
export const failuresOf = (
  errors: readonly { readonly message: string; readonly path?: ExecutorFailure['path'] }[] | undefined,
): ExecutorFailure[] => (errors ?? []).map(({ message, path }) => ({ message, path }));

/** Returns the outcome of an executor that threw an error. */
export const thrown = (error: unknown): ExecutorOutcome => ({
  data: undefined,
  errors: [{ message: `It threw ${error instanceof Error ? error.stack : String(error)}`, path: undefined }],
  violations: [],
  mutations: [],
  invalid: [],
});
