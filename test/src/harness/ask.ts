import type { Context } from '@loyalty/platform/context';
import { executeSubgraph, type Subgraph } from '@loyalty/platform/graph/subgraph';

/** What a client of one subgraph sees: the data, and what the first error says. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it selected
  readonly data: any;
  /** Category, as in `extensions.code`. */
  readonly code: unknown;
  /** The finer code, as in `extensions.reason`. */
  readonly reason: unknown;
  readonly message: string | undefined;
}

/** Sends one operation to a subgraph, past any gateway. */
export async function ask(
  subgraph: Subgraph,
  ctx: Context,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, errors } = await executeSubgraph(subgraph, { query, variables }, ctx);
  const [error] = errors ?? [];
  const { code, reason } = error?.extensions ?? {};
  // Through JSON, as it would travel: graphql-js makes objects without a prototype.
  return { data: JSON.parse(JSON.stringify(data ?? null)), code, reason, message: error?.message };
}

/** `ask` to one subgraph. */
export const askOf =
  (subgraph: Subgraph) =>
  (ctx: Context, query: string, variables?: Record<string, unknown>): Promise<Answer> =>
    ask(subgraph, ctx, query, variables);

/** Asks for entities by reference, as a gateway does; `selection` is a fragment on one type. */
export const entities = (selection: string): string =>
  `query ($references: [_Any!]!) { _entities(representations: $references) { ${selection} } }`;
