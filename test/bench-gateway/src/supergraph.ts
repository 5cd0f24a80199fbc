import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { type ShopSubgraph, shop, subgraphNames } from './shop.ts';

/** Where the subgraph process serves one subgraph. */
export const subgraphUrl = (port: number, name: ShopSubgraph): string => `http://127.0.0.1:${port}/${name}`;

/** The supergraph of the shop, whose subgraphs are served at `port`. */
export function composeShop(port: number): string {
  const { supergraphSdl, errors } = composeServices(
    subgraphNames.map((name) => ({ name, typeDefs: parse(shop[name].sdl), url: subgraphUrl(port, name) })),
  );
  if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}
