import type { Services } from '@loyalty/platform/context';
import { addHealth } from '@loyalty/platform/http/health';
import { httpServer } from '@loyalty/platform/http/http-server';
import type { FastifyInstance } from 'fastify';

/** Returns a server with the health and the metrics of a worker. */
export function workerServer(services: Services): FastifyInstance {
  const app = httpServer(services.log, services.config);
  addHealth(app, services);
  return app;
}
