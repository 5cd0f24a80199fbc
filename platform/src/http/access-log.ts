import type { FastifyInstance } from 'fastify';
import type { Caller } from '../base/caller.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';

/** The logged properties of a request. */
interface LoggedRequest {
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly id: string;
  /** Missing in a process that does not authenticate. */
  readonly caller?: Caller;
}

/**
 * With ACCESS_LOG, logs one line for each request: the route instead of the address, without query and body.
 * The actor is a key or a user; ids of members are not logged.
 */
export function addAccessLog(
  app: FastifyInstance,
  log: Log,
  { ACCESS_LOG }: Pick<Config, 'ACCESS_LOG'>,
): void {
  if (!ACCESS_LOG) return;
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const { method, routeOptions, id, caller }: LoggedRequest = request;
    log.info(
      {
        method,
        route: routeOptions.url ?? null,
        status: statusCode,
        durationMs: Math.round(elapsedTime),
        requestId: id,
        workspaceId: caller?.workspaceId ?? null,
        actor: caller?.kind === 'MEMBER' ? 'member' : (caller?.actor ?? null),
      },
      'request',
    );
  });
}
