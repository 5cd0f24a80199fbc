import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { ReceivePaymentEventDocument } from '#generated/graphql';
import { appErrorOf } from '../errors.ts';
import type { GraphClient } from '../graph-client.ts';
import { readOperation } from '../table/row-operation.ts';

/** Path to which the payment provider sends its events. */
export const paymentEventsEndpoint = { method: 'POST', path: '/api/payments/stripe' } as const;

/** Events of Stripe usually have a few KiB. */
const BODY_BYTES_MAX = 256 * 1024;

/**
 * Receives the events of the payment provider. The signature covers the exact bytes, so the body is passed on
 * unchanged. The signature is also the credential. If the status is not 200, the provider sends the event
 * again.
 */
export function addPaymentEvents(app: FastifyInstance, schema: GraphQLSchema, graph: GraphClient): void {
  const query = ReceivePaymentEventDocument.toString();
  const operation = readOperation(query, schema);
  const paymentEvents: FastifyPluginAsync = async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    scope.post(paymentEventsEndpoint.path, { bodyLimit: BODY_BYTES_MAX }, async (request) => {
      const variables = {
        payload: String(request.body ?? ''),
        signature: String(request.headers['stripe-signature'] ?? ''),
      };
      const { errors } = await graph.execute({ query, operationName: operation.name, variables }, request);
      if (errors?.[0]) throw appErrorOf(errors[0], operation);
      return { received: true };
    });
  };
  app.register(namedPlugin(paymentEvents));
}
