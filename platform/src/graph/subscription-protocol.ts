import type { Request } from '../context.ts';

/** Who subscribes: `extensions` of a message from the gateway to a subgraph. */
export type Named = Pick<Request, 'caller' | 'requestId' | 'address' | 'missedMs'>;

/**
 * The first result of every subscription between gateway and subgraph, which no client sees: from here on
 * no event is missed. The protocol itself says nothing before the first event.
 */
export const STARTED = { extensions: { isStarted: true } };

/** Is it the result that only says that the subscription runs? */
export const saysStarted = (result: {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}) => result.extensions?.['isStarted'] === true;
