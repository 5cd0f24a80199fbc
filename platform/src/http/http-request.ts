import type { FastifyReply } from 'fastify';
import type { Caller } from '../base/caller.ts';
import type { AppError } from '../base/errors.ts';
import type { Request } from '../context.ts';

/** Properties of an HTTP request after admission, shared by all APIs. */
declare module 'fastify' {
  interface FastifyInstance {
    /** The address that users open, without a slash at its end. Only servers with a REST API have it. */
    publicUrl?: string;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Address of the client, from trusted proxies only; `ip` is the connected peer. */
    address: string;
    /** The reason for which the credential was refused; each API sends it in its own form. */
    refused: AppError | null;
    /** Name of the call in the call log and in metrics. */
    operation: string | null;
    /** Actual status of a failure whose media type demands HTTP status 200; otherwise null. */
    faultStatus: number | null;
    /** Reason of a failure, if the answer has no X-Error-Code. */
    reason: string | null;
    /** Aborted when the client disconnects before its answer is complete. */
    gone: AbortSignal;
    /** Names of mutations that were replayed by the Idempotency-Key; null before the graph was called. */
    replayed: Set<string> | null;
    /**
     * Counts additional calls of this request and returns an error if there are too many. Null if each of
     * them is counted separately.
     */
    countFurther: ((calls: number) => Promise<AppError | null>) | null;
    /** Returns the part of the request that is passed to every subgraph. */
    graphRequest(): Request;
  }
}

/** Returns a signal that aborts when the client disconnects before its answer is complete. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || controller.abort());
  return controller.signal;
}
