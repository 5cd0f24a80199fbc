import type { FastifyInstance } from 'fastify';
import type { Services } from './context.ts';
import { renderMetrics } from './metrics.ts';

/**
 * Adds `/healthz` (the process lives), `/readyz` (the database answers and nothing is shutting down) and
 * `/metrics`.
 */
export function addHealth(app: FastifyInstance, services: Services): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isClosing) return reply.status(503).send({ status: 'closing' });
    try {
      await services.database.sql.query('SELECT 1');
      return { status: 'ready' };
    } catch {
      return reply.status(503).send({ status: 'database unavailable' });
    }
  });
  app.get('/metrics', async (_, reply) => {
    const { contentType, body } = await renderMetrics(services.metrics);
    return reply.type(contentType).send(body);
  });
}
