import type { Context } from '@loyalty/platform/context';
import { executeSubgraph, type Subgraph } from '@loyalty/platform/graph/subgraph';

/** The answer of one subgraph: its data, and the parts of its first error. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it selected
  readonly data: any;
  /** The category of the error: `extensions.code`. */
  readonly code: unknown;
  /** The reason of the error: `extensions.reason`. */
  readonly reason: unknown;
  readonly message: string | undefined;
}

/** Sends an operation directly to a subgraph, without a gateway. */
export async function ask(
  subgraph: Subgraph,
  ctx: Context,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, errors } = await executeSubgraph(subgraph, { query, variables }, ctx);
  const [error] = errors ?? [];
  const { code, reason } = error?.extensions ?? {};
  // Goes through JSON as over the network, because graphql-js makes objects without a prototype.
  return { data: JSON.parse(JSON.stringify(data ?? null)), code, reason, message: error?.message };
}

/** Returns an `ask` for one subgraph. */
export const askOf =
  (subgraph: Subgraph) =>
  (ctx: Context, query: string, variables?: Record<string, unknown>): Promise<Answer> =>
    ask(subgraph, ctx, query, variables);

/** An operation that reads entities by reference, as a gateway does; `selection` is an inline fragment. */
export const entities = (selection: string): string =>
  `query ($references: [_Any!]!) { _entities(representations: $references) { ${selection} } }`;
