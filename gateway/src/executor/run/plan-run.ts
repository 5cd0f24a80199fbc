import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';

export type Path = readonly (string | number)[];
export type Data = Record<string, unknown>;

/** An error of the client's answer, before it is formatted. */
export interface PlanError {
  readonly message: string;
  readonly path?: Path | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** A fault of a subgraph or of the gateway. It is logged, because clients see few details. */
interface SubgraphFault extends Pick<PlanError, 'message' | 'path'> {
  readonly cause?: unknown;
}

/** Objects for which an answer of a subgraph contains errors and no data; computed only when needed. */
interface LostObjects {
  readonly paths: () => readonly Path[];
  /** The expected fields of the answer; null for all. */
  readonly names: (() => ReadonlySet<string>) | null;
}

/** One execution of a compiled operation, with the state that its steps change. */
export interface PlanRun {
  /** The merged answers of subgraphs, under private response names. */
  data: Data;
  /** Variables as the client sent them; subgraphs coerce them themselves. */
  readonly variables: Variables;
  /** Coerced variables with defaults, for @include and @skip. */
  readonly conditions: Variables;
  readonly errors: PlanError[];
  readonly faults: SubgraphFault[];
  /** Paths of entities that a subgraph does not know; computed only when needed. */
  readonly unknown: (() => readonly Path[])[];
  /** Objects without data from a subgraph that reported errors. */
  readonly lost: LostObjects[];
  readonly from: Request;
}

/** One step of a plan; it never rejects. */
export type PlanStep = (run: PlanRun) => Promise<void>;

/** Runs a step, if there is one. */
export async function runStep(step: PlanStep | null, run: PlanRun): Promise<void> {
  if (step) return step(run);
}
