import { fileURLToPath } from 'node:url';

/** The committed supergraph. */
export const supergraphFile = fileURLToPath(new URL('../../supergraph.graphql', import.meta.url));
