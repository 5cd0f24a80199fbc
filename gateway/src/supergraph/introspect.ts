import './no-telemetry.ts';
import { IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import type { Log } from '@loyalty/platform/operations/log';

interface SubgraphAddress {
  readonly name: string;
  readonly url: string;
}

/** A supergraph that follows its subgraphs. */
interface FollowedSupergraph {
  readonly supergraphSdl: string;
  /** No more looking. */
  stop(): Promise<void>;
}

/**
 * Composes a supergraph from what running subgraphs say of themselves, and again whenever one says something
 * else. What no longer composes is logged and leaves the last good supergraph in place.
 *
 * @param onChange - told every later supergraph
 * @throws Error where a subgraph is away, or they do not compose, at the start
 */
export async function followSubgraphs(
  subgraphs: readonly SubgraphAddress[],
  pollMs: number,
  log: Log,
  onChange: (supergraphSdl: string) => void,
): Promise<FollowedSupergraph> {
  const composer = new IntrospectAndCompose({
    subgraphs: [...subgraphs],
    pollIntervalInMs: pollMs,
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => log.warn(String(message)),
      error: (message) => log.error(String(message)),
    },
  });
  const { supergraphSdl, cleanup } = await composer.initialize({
    update: onChange,
    healthCheck: async () => {},
    getDataSource: ({ url }) => new RemoteGraphQLDataSource({ url: url! }),
  });
  return { supergraphSdl, stop: async () => cleanup?.() };
}
