import type { Services } from '@loyalty/platform/context';
import { addHealth } from '@loyalty/platform/http/health';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';

/** Health and metrics of a worker. */
export function workerServer(services: Services): FastifyInstance {
  const logController = new LogController({ disableRequestLogging: true });
  const app = fastify({ loggerInstance: services.log as FastifyBaseLogger, logController });
  addHealth(app, services);
  return app;
}
