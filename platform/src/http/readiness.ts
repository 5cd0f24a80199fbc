import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The first step of stopping behind a proxy. For `delayMs`, in which the proxy can notice it, `/readyz`
     * answers 503, requests are still served, and their connections close after the answer.
     */
    withdraw(delayMs: number): Promise<void>;
  }
}

/**
 * Adds `/healthz` (the process is alive), `/readyz` (the process accepts requests), and `withdraw`.
 *
 * @param reasonAgainst - returns the reason for which no request can be served now; null if there is none
 */
export function addReadiness(app: FastifyInstance, reasonAgainst: () => Promise<string | null>): void {
  let isClosing = false;
  app.decorate('withdraw', async (delayMs: number) => {
    isClosing = true;
    app.server.prependListener('request', closeAfterwards);
    await delay(delayMs);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const reason = isClosing ? 'closing' : await reasonAgainst();
    return reason === null ? { status: 'ready' } : reply.status(503).send({ status: reason });
  });
}

const closeAfterwards = (_request: unknown, response: ServerResponse): void =>
  void response.setHeader('connection', 'close');
