import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type SubgraphName, subgraphNames } from '@loyalty/platform/base/subgraph-name';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import { composeSubgraphs } from './composition.ts';
import { supergraphFile } from './supergraph-sdl.ts';

const sources = (name: SubgraphName) =>
  fileURLToPath(new URL(`../../../subgraphs/${name}/src`, import.meta.url));

/**
 * Composes the supergraph from the SDL of every subgraph.
 *
 * @throws Error with one line for each composition error
 */
export function composeSupergraph(): string {
  const subgraphs = subgraphNames.map((name) => ({
    name,
    typeDefs: readTypeDefs(sources(name)),
    url: `subgraph://${name}`,
  }));
  return `${composeSubgraphs(subgraphs).trim()}\n`;
}

/** `node compose.ts` writes the committed file, `--check` compares. */
if (import.meta.main) {
  const composed = composeSupergraph();
  if (!process.argv.includes('--check')) writeFileSync(supergraphFile, composed);
  else if (readFileSync(supergraphFile, 'utf8') !== composed) {
    process.stderr.write('gateway/supergraph.graphql is stale: run `npm run compose` and commit it.\n');
    process.exit(1);
  }
}
