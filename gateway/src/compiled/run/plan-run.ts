import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';

export type Path = readonly (string | number)[];
export type Data = Record<string, unknown>;

/** An error as a client sees it, but for the last formatting. */
export interface PlanError {
  readonly message: string;
  readonly path?: Path | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** What a subgraph, or the gateway, did wrong: clients are told little of it, so it is logged. */
interface SubgraphFault extends Pick<PlanError, 'message' | 'path'> {
  readonly cause?: unknown;
}

/** One execution of a compiled operation; its steps write into it. */
export interface PlanRun {
  /** What subgraphs answered, merged, under private response names. */
  data: Data;
  /** As the client sent them: subgraphs coerce for themselves. */
  readonly variables: Variables;
  /** Coerced, with defaults: what @include and @skip look at. */
  readonly conditions: Variables;
  readonly errors: PlanError[];
  readonly faults: SubgraphFault[];
  /** Paths of entities that a subgraph does not know, worked out where somebody wants to know. */
  readonly unknown: (() => readonly Path[])[];
  readonly from: Request;
}

/** One step of a plan; it never rejects. */
export type PlanStep = (run: PlanRun) => Promise<void>;

/** Runs what there is to run. */
export async function runStep(step: PlanStep | null, run: PlanRun): Promise<void> {
  if (step) return step(run);
}
