import { printSchema, Supergraph } from '@apollo/federation-internals';

/** The schema that clients see, as SDL. */
export const clientSdl = (supergraph: string): string =>
  printSchema(Supergraph.build(supergraph).apiSchema());
