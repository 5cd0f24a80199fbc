import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { startActive, tracingIsOn, within, withRemoteTrace } from './spans.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null if it is not traced. */
    span: Span | null;
  }
}

/** Routes that monitoring calls every few seconds; they are not traced. */
const UNTRACED = new Set<string | undefined>(['/healthz', '/readyz', '/metrics']);

/**
 * Makes a span of every request, which continues the trace of its `traceparent`. Call it before other hooks,
 * so that their work and the handler's belong to the span. Only the route is recorded, because paths and
 * queries contain ids.
 *
 * @remarks Source: OpenTelemetry semantic conventions, HTTP server spans
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (!tracingIsOn() || UNTRACED.has(request.routeOptions.url)) return done();
    const { id, method, headers, routeOptions } = request;
    const route = routeOptions.url;
    const attributes = {
      'http.request.method': method,
      ...(route && { 'http.route': route }),
      'loyalty.request.id': id,
    };
    const begin = (current: Span) => {
      request.span = current;
      reply.raw.once('close', () => endSpan(current, reply.raw.statusCode));
      done();
    };
    const name = route ? `${method} ${route}` : method;
    withRemoteTrace(headers['traceparent'], () => startActive(name, { kind: 'SERVER', attributes }, begin));
  });
  // The body is read in the context of the connection, which has no span.
  app.addHook('preValidation', ({ span }: FastifyRequest, _reply, done) =>
    span ? within(span, done) : done(),
  );
}

function endSpan(current: Span, status: number): void {
  current.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    current.setAttribute('error.type', String(status));
    current.setStatus({ code: 2 });
  }
  current.end();
}
