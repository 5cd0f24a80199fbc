import { questionTypes } from './src/graph/question-types.ts';

/** Generates the types of the questions that the platform itself asks of subgraphs. */
export default {
  generates: { 'generated/peers.ts': questionTypes(import.meta.dirname) },
};
