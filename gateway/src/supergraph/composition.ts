import { composeServices } from '@apollo/composition';
import type { DocumentNode } from 'graphql';

/** Input of the composition. */
interface SubgraphDefinition {
  readonly name: string;
  readonly url: string;
  readonly typeDefs: DocumentNode;
}

/**
 * Composes subgraphs and returns the supergraph as SDL.
 *
 * @throws Error with one line for each composition error
 */
export function composeSubgraphs(subgraphs: readonly SubgraphDefinition[]): string {
  const { supergraphSdl, errors } = composeServices([...subgraphs]);
  if (!supergraphSdl) throw new Error((errors ?? []).map(({ message }) => message).join('\n'));
  return supergraphSdl;
}
