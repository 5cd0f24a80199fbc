import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Services } from '../context.ts';
import { type Metrics, renderMetrics } from '../observe/metrics.ts';
import { addReadiness } from './readiness.ts';

/** Adds `/metrics`, and `/readyz` that requires the database. */
export function addHealth(app: FastifyInstance, services: Services): void {
  addReadiness(app, async () => {
    try {
      await services.database.sql.query('SELECT 1');
      return null;
    } catch {
      return 'database unavailable';
    }
  });
  addMetrics(app, services.metrics, services.config);
}

/**
 * Adds `/metrics` for clients that send METRICS_TOKEN as a bearer. Without this setting it is public, but
 * missing in production, because the use of routes is confidential.
 */
export function addMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  { METRICS_TOKEN, isProduction }: Pick<Config, 'METRICS_TOKEN' | 'isProduction'>,
): void {
  if (isProduction && !METRICS_TOKEN) return;
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (METRICS_TOKEN && !isBearer(request, METRICS_TOKEN)) return refuseMetrics(reply);
    const { contentType, body } = await renderMetrics(metrics);
    return reply.type(contentType).send(body);
  });
}

function isBearer({ headers }: FastifyRequest, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

const refuseMetrics = (reply: FastifyReply): FastifyReply =>
  reply
    .status(401)
    .header('www-authenticate', 'Bearer')
    .send({ error: 'Send METRICS_TOKEN as a bearer in the Authorization header.' });
