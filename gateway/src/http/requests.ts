import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from '@loyalty/platform/context';
import '@loyalty/platform/http/http-request';
import { hasPrivacySignal } from '@loyalty/platform/identity/privacy-signal';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Returns the request id of the client if it is valid, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Declares the properties that the routes read from every request. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('caller');
  app.decorateRequest('address', '');
  app.decorateRequest('refused', null);
  app.decorateRequest('operation', null);
  app.decorateRequest('faultStatus', null);
  app.decorateRequest('reason', null);
  app.decorateRequest('gone');
  app.decorateRequest('replayed', null);
  app.decorateRequest('countFurther', null);
  app.addHook('onSend', async ({ replayed }, reply) => {
    if (replayed && replayed.size > 0) reply.header('idempotent-replayed', 'true');
  });
  app.decorateRequest('graphRequest', graphRequest);
}

function graphRequest(this: FastifyRequest): Request {
  this.replayed ??= new Set();
  return {
    caller: this.caller,
    requestId: this.id,
    idempotencyKey: (this.headers['idempotency-key'] as string | undefined) ?? null,
    address: this.address,
    hasPrivacySignal: hasPrivacySignal(this.headers),
    signal: this.gone,
    replayed: this.replayed,
  };
}
