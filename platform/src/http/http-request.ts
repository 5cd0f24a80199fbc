import type { FastifyReply } from 'fastify';
import type { Caller } from '../base/caller.ts';
import type { AppError } from '../base/errors.ts';
import type { Request } from '../context.ts';

/** What every API knows of an HTTP request once it is admitted. */
declare module 'fastify' {
  interface FastifyInstance {
    /** The address that users open, without a slash at its end; of servers with a REST API. */
    publicUrl?: string;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Where the client calls from, as far as it can be believed; `ip` is whoever is connected. */
    address: string;
    /** Why the credential was refused; each API answers it in its own form. */
    refused: AppError | null;
    /** What the call is named in the call log and in metrics. */
    operation: string | null;
    /** What the answer would be, where its media type demands 200 for what is refused; else null. */
    faultStatus: number | null;
    /** Why the call failed, where the answer has no X-Error-Code that says so. */
    reason: string | null;
    /** Aborted when the client goes before its answer is complete. */
    gone: AbortSignal;
    /** Mutations that were not done again, by the Idempotency-Key; null before the graph was asked. */
    replayed: Set<string> | null;
    /**
     * Counts more calls that this request makes, and says why there are too many of them. Null where each of
     * them is counted by itself.
     */
    countFurther: ((calls: number) => Promise<AppError | null>) | null;
    /** The part of the request that every subgraph gets. */
    graphRequest(): Request;
  }
}

/** Aborted when the client goes before its answer is complete. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || controller.abort());
  return controller.signal;
}
