import type { Request } from '../context.ts';

/** Who subscribes: `extensions` of a message from the gateway to a subgraph. */
export type Named = Pick<Request, 'caller' | 'requestId' | 'address' | 'missedMs'>;

/**
 * The first result of every subscription between gateway and subgraph, which no client sees: from here on
 * no event is missed. The protocol itself says nothing before the first event.
 *
 * @param areSnapshots - every result that follows is a whole state: see `Snapshots`
 */
export const started = (areSnapshots: boolean) => ({ extensions: { isStarted: true, areSnapshots } });

interface Extended {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Is it the result that only says that the subscription runs? */
export const saysStarted = ({ extensions }: Extended): boolean => extensions?.['isStarted'] === true;

/** Does that result say that snapshots follow? */
export const saysSnapshots = ({ extensions }: Extended): boolean => extensions?.['areSnapshots'] === true;
