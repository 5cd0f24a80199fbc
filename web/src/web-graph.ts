import type { Request } from '@loyalty/platform/context';
import type { GraphQLFormattedError } from 'graphql';

/** The one graph as pages use it. */
export interface WebGraph {
  /** Answers a query or mutation; errors are formatted for clients. */
  execute(
    operation: { readonly query: string; readonly variables: Record<string, unknown> },
    request: Request,
  ): Promise<{
    readonly data?: Record<string, unknown> | null;
    readonly errors?: readonly GraphQLFormattedError[];
  }>;
}
