import type { Request } from '../context.ts';

/** The origin of a subscription: `extensions` of a message from the gateway to a subgraph. */
export type Named = Pick<Request, 'caller' | 'requestId' | 'address' | 'missedMs'>;

/**
 * The first result of every subscription between gateway and subgraph. It is not passed to clients. From this
 * result on, no event is missed. The protocol itself sends no message before the first event.
 *
 * @param areSnapshots - every following result is a whole state: see `Snapshots`
 */
export const started = (areSnapshots: boolean) => ({ extensions: { isStarted: true, areSnapshots } });

interface Extended {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns whether the result is the initial message of `started`. */
export const saysStarted = ({ extensions }: Extended): boolean => extensions?.['isStarted'] === true;

/** Returns whether the initial message announces snapshots. */
export const saysSnapshots = ({ extensions }: Extended): boolean => extensions?.['areSnapshots'] === true;
