import './no-telemetry.ts';
import { IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import type { Log } from '@loyalty/platform/operations/log';

interface SubgraphAddress {
  readonly name: string;
  readonly url: string;
}

/** The composed supergraph of running subgraphs. */
interface FollowedSupergraph {
  readonly supergraphSdl: string;
  /** Stops polling. */
  stop(): Promise<void>;
}

/**
 * Composes a supergraph from the schemas of running subgraphs, and again whenever one of them changes.
 * Schemas that do not compose are logged, and the last good supergraph stays.
 *
 * @param onChange - called with every later supergraph
 * @throws Error where a subgraph is away at the start, or the schemas do not compose
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
