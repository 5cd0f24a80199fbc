import type { FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';

export interface GraphReply {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  /** Headers of the gateway's answer that the client should see. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Executes operations of the graph for REST requests, in this process or over HTTP. */
export interface GraphClient {
  execute(
    operation: {
      readonly query: string;
      readonly operationName: string;
      readonly variables: Record<string, unknown>;
    },
    request: FastifyRequest,
  ): Promise<GraphReply>;
}
