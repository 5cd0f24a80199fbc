import type { IncomingHttpHeaders } from 'node:http';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { ReceiveEmailNoticeDocument } from '#generated/graphql';
import { appErrorOf } from '../errors.ts';
import type { GraphClient } from '../graph-client.ts';
import { readOperation } from '../table/row-operation.ts';

/** Path to which mail providers send their notices of deliveries, bounces and complaints. */
export const emailNoticesEndpoint = {
  method: 'POST',
  path: '/api/email-notices/:workspaceId/:providerId',
} as const;

/** SendGrid sends many notices in one body. */
const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Receives the notices of mail providers. The signature covers the exact bytes, so the body is passed on
 * unchanged. The signature is also the credential. If the status is not 200, the provider sends the notice
 * again.
 */
export function addEmailNotices(app: FastifyInstance, schema: GraphQLSchema, graph: GraphClient): void {
  const query = ReceiveEmailNoticeDocument.toString();
  const operation = readOperation(query, schema);
  const emailNotices: FastifyPluginAsync = async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    scope.post(emailNoticesEndpoint.path, { bodyLimit: BODY_BYTES_MAX }, async (request) => {
      const { workspaceId, providerId } = request.params as Readonly<Record<string, string>>;
      const payload = String(request.body ?? '');
      const variables = { workspaceId, providerId, payload, ...signatureOf(request.headers) };
      const { errors } = await graph.execute({ query, operationName: operation.name, variables }, request);
      if (errors?.[0]) throw appErrorOf(errors[0], operation);
      return { received: true };
    });
  };
  app.register(namedPlugin(emailNotices));
}

/** Prefixes of the signature headers of Svix, Standard Webhooks and SendGrid. */
const PREFIXES = ['svix', 'webhook', 'x-twilio-email-event-webhook'];

function signatureOf(headers: IncomingHttpHeaders) {
  const first = (name: string) =>
    PREFIXES.map((prefix) => headers[`${prefix}-${name}`]).find((value) => typeof value === 'string');
  return { signatureId: first('id'), signedAt: first('timestamp'), signature: first('signature') };
}
