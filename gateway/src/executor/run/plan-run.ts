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

/** A fault of a subgraph, or of the gateway. It is logged, because clients see little of it. */
interface SubgraphFault extends Pick<PlanError, 'message' | 'path'> {
  readonly cause?: unknown;
}

/** Objects of which one answer of a subgraph has nothing but errors; computed only when needed. */
interface LostObjects {
  readonly paths: () => readonly Path[];
  /** The fields that the answer was to have; null for all. */
  readonly names: (() => ReadonlySet<string>) | null;
}

/** One execution of a compiled operation; its steps write into it. */
export interface PlanRun {
  /** The merged answers of subgraphs, under private response names. */
  data: Data;
  /** As the client sent them: subgraphs coerce for themselves. */
  readonly variables: Variables;
  /** Coerced, with defaults: the values for @include and @skip. */
  readonly conditions: Variables;
  readonly errors: PlanError[];
  readonly faults: SubgraphFault[];
  /** Paths of entities that a subgraph does not know; computed only when needed. */
  readonly unknown: (() => readonly Path[])[];
  /** What a subgraph gave no data of, for errors that it described. */
  readonly lost: LostObjects[];
  readonly from: Request;
}

/** One step of a plan; it never rejects. */
export type PlanStep = (run: PlanRun) => Promise<void>;

/** Runs a step where there is one. */
export async function runStep(step: PlanStep | null, run: PlanRun): Promise<void> {
  if (step) return step(run);
}
