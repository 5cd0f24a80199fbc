import type { ReasonOf } from '@loyalty/platform/base/error-reasons';
import { AppError, internalError } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import type { FastifyRequest } from 'fastify';
import { ServiceRefusalDocument } from '#generated/graphql';
import type { GraphClient } from '../graph-client.ts';
import type { Tool } from './tool.ts';

/**
 * Returns whether every plan includes the tool. All plans include tools that only read. Other tools need a
 * trial or a paid service that is active.
 */
const isInEveryPlan = ({ definition }: Tool): boolean => definition.annotations?.readOnlyHint === true;

/**
 * Returns the tools that the plan of the workspace allows.
 *
 * @throws AppError PEER_UNAVAILABLE (503) if the plan cannot be read
 */
export async function allowedByPlan(
  graph: GraphClient,
  request: FastifyRequest,
  tools: readonly Tool[],
): Promise<readonly Tool[]> {
  if (tools.every(isInEveryPlan)) return tools;
  return (await serviceRefusal(graph, request)) ? tools.filter(isInEveryPlan) : tools;
}

/**
 * Refuses a tool that the plan of the workspace does not allow.
 *
 * @throws AppError SUBSCRIPTION_REQUIRED, TRIAL_CREDITS_EXHAUSTED (402), PEER_UNAVAILABLE (503)
 */
export async function refuseByPlan(graph: GraphClient, request: FastifyRequest, tool: Tool): Promise<void> {
  const refused = isInEveryPlan(tool) ? null : await serviceRefusal(graph, request);
  if (refused) throw refused;
}

async function serviceRefusal(graph: GraphClient, request: FastifyRequest): Promise<AppError | null> {
  const { data, errors } = await graph.execute(question, request);
  if (errors?.[0]) throw toAppError(errors[0]) ?? internalError();
  const refused = data?.['serviceRefusal'] as { code: ReasonOf<'PAYMENT_REQUIRED'>; message: string } | null;
  return refused && new AppError('PAYMENT_REQUIRED', refused.code, refused.message);
}

const question = { query: ServiceRefusalDocument.toString(), operationName: 'ServiceRefusal', variables: {} };
