import type { Services } from '@loyalty/platform/context';
import { addHealth } from '@loyalty/platform/health';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';

/** Health and metrics of a worker. */
export function workerServer(services: Services): FastifyInstance {
  const app = fastify({ loggerInstance: services.log as FastifyBaseLogger, disableRequestLogging: true });
  addHealth(app, services);
  return app;
}
