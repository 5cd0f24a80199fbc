import type { Types } from '@graphql-codegen/plugin-helpers';

/** Types of the documents that REST rows run, and a manifest of their hashes. */
export default {
  schema: '../gateway/supergraph.graphql',
  documents: 'src/**/*.graphql',
  generates: {
    'generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: true },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        importExtension: '.ts',
        emitLegacyCommonJSImports: false,
        defaultScalarType: 'unknown',
      },
    },
  },
} satisfies Types.Config;
