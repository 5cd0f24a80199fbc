import type { FastifyRequest } from 'fastify';
import { RecordToolCallDocument } from '#generated/graphql';
import type { GraphClient } from '../graph/graph-client.ts';
import type { Arguments } from './call-tool.ts';

/** A call of a tool that is over. */
interface MadeCall {
  readonly tool: string;
  readonly args: Arguments;
  readonly ok: boolean;
  readonly reason?: string | undefined;
}

/** Adds a call to the caller's run log. That it cannot be written is logged; the call was made anyway. */
export async function mirrorCall(
  graph: GraphClient,
  request: FastifyRequest,
  { tool, args, ok, reason }: MadeCall,
): Promise<void> {
  // The key stood for the call itself.
  delete request.headers['idempotency-key'];
  const input = { tool, args, ok, ...(reason !== undefined && { reason }) };
  const question = {
    query: RecordToolCallDocument.toString(),
    operationName: 'RecordToolCall',
    variables: { input },
  };
  const { errors } = await graph.execute(question, request);
  if (errors?.[0])
    request.log.warn(
      { requestId: request.id, reason: errors[0].extensions?.['reason'] },
      'call not mirrored',
    );
}
