import { questionTypes } from './questions.mjs';

/** The types of what the platform itself asks of subgraphs. */
export default {
  errorsOnly: true,
  generates: { 'generated/peers.ts': questionTypes(import.meta.dirname) },
};
