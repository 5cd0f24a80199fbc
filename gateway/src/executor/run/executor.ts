import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import type { DocumentNode } from 'graphql';
import { fromOperation } from '../../operations/operations.ts';
import { perOperation } from '../../operations/per-operation.ts';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { Transports, Variables } from '../../transport/transport.ts';
import { type Answer, answerOf, newPlanRun } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';
import { createEventAnswers } from './event-answers.ts';
import { logFaults } from './faults.ts';
import { runStep } from './plan-run.ts';
import { createSingleFlight, type Query } from './single-flight.ts';
import { type AnswerStream, subscribeCompiled } from './subscription.ts';
import { createVariants, type Variants } from './variants.ts';

/** A validated document and the name of the operation to run. */
export interface ExecutableOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variables?: Variables | undefined;
}

/** Executes operations over one supergraph. An operation is planned and compiled at its first use. */
export interface Executor {
  /** Rejects only after an internal failure. An answer without data was refused before it ran. */
  execute(operation: ExecutableOperation, from: Request): Promise<Answer>;
  /** Returns one answer per event, or one answer with the reason if there will be none. */
  subscribe(operation: ExecutableOperation, from: Request): Promise<AnswerStream | Answer>;
  /** Plans and compiles an operation before its first request. */
  compile(document: DocumentNode, operationName?: string): void;
}

/**
 * Creates the executor of an engine.
 *
 * @param transports - by subgraph name, one for each subgraph of the supergraph
 * @param log - receives the faults of subgraphs
 */
export type CreateExecutor = (supergraph: Supergraph, transports: Transports, log: Log) => Executor;

/** The compiled engine: Apollo's planner, and a plan as generated code. */
export const createExecutor: CreateExecutor = (supergraph, transports, log) => {
  const known = perOperation<Variants>();
  const [runs, events] = [createRuns(), createEventAnswers()];

  const variantsOf = (document: DocumentNode, operationName: string | undefined): Variants =>
    known(document, operationName, () => createVariants(supergraph, transports, document, operationName));

  async function run(
    operation: CompiledOperation,
    variables: Variables,
    coerced: Variables,
    from: Request,
  ): Promise<Answer> {
    const started = newPlanRun(variables, coerced, from);
    await runStep(operation.plan, started);
    const answer = answerOf(operation, started);
    logFaults(started, log);
    return answer;
  }

  return {
    compile: (document, operationName) => void variantsOf(document, operationName).of({}),
    async execute({ document, operationName, variables = {} }, from) {
      const variants = variantsOf(document, operationName);
      const { coerced, errors } = fromOperation(() => variants.coerce(variables));
      if (errors) return { errors };
      const operation = fromOperation(() => variants.of(coerced));
      return runs[variants.type === 'query' ? 'query' : 'mutation'](
        { operation, variables, from },
        (request) => run(operation, variables, coerced, request),
      );
    },
    async subscribe({ document, operationName, variables = {} }, from) {
      const variants = variantsOf(document, operationName);
      const { coerced, errors } = fromOperation(() => variants.coerce(variables));
      if (errors) return { errors };
      const operation = fromOperation(() => variants.of(coerced));
      return subscribeCompiled(operation, { variables, coerced, from, log }, events);
    },
  };
};

type Run = (request: Request) => Promise<Answer>;

/** Equal queries of one caller run once; a mutation is completed even if its client has disconnected. */
export function createRuns(): Record<'query' | 'mutation', (query: Query, run: Run) => Promise<Answer>> {
  const queries = createSingleFlight();
  return {
    // A query only shows data, so its lists may come from a replica.
    query: (query, run) =>
      queries.share(query, (signal) => run({ ...query.from, signal, mayReadReplica: true })),
    mutation({ from }, run) {
      const { signal: _, ...unsignalled } = from;
      return queries.write(() => run(unsignalled));
    },
  };
}
