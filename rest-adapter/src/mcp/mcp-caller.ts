import { anonymous, type Caller, type Mode, type Role } from '@loyalty/platform/caller/caller';
import { internalError } from '@loyalty/platform/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import type { FastifyRequest } from 'fastify';
import { McpCallerDocument } from '#generated/graphql';
import type { GraphClient } from '../graph/graph-client.ts';

interface Viewer {
  readonly kind: 'KEY' | 'USER' | 'MEMBER';
  readonly mode: Mode;
  readonly role: Role | null;
  readonly scopes: readonly string[];
  readonly modules: readonly string[];
}

/**
 * Puts the caller on a request where this process does not know it: an adapter of its own asks the graph
 * what the credential may do. Refused credentials are on `request.refused`, as in the gateway.
 */
export async function admitCaller(request: FastifyRequest, graph: GraphClient): Promise<void> {
  if (request.caller !== undefined) return;
  request.caller = anonymous;
  const { authorization, 'x-api-key': apiKey } = request.headers;
  if (authorization === undefined && apiKey === undefined) return;
  const { data, errors } = await graph.execute(question, request);
  if (errors?.[0]) request.refused = toAppError(errors[0]) ?? internalError();
  else request.caller = callerOf(data!['viewer'] as Viewer);
}

const question = { query: McpCallerDocument.toString(), operationName: 'McpCaller', variables: {} };

/** Enough of a caller to know which tools it may use; the gateway checks every call again. */
const callerOf = (viewer: Viewer): Caller => ({ ...anonymous, ...viewer, actor: 'remote' });
