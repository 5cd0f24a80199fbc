import { questionTypes } from './src/graph/question-types.ts';

/** The types of what the platform itself asks of subgraphs. */
export default {
  errorsOnly: true,
  generates: { 'generated/peers.ts': questionTypes(import.meta.dirname) },
};
