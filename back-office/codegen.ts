import type { Types } from '@graphql-codegen/plugin-helpers';

const config = {
  documentMode: 'documentNode',
  useTypeImports: true,
  enumsAsTypes: true,
  importExtension: '.ts',
  emitLegacyCommonJSImports: false,
  defaultScalarType: 'unknown',
  scalars: {
    DateTime: 'string',
    Date: 'string',
    TimeZone: 'string',
    Currency: 'string',
    EmailAddress: 'string',
    URL: 'string',
    Base64: 'string',
    BigInt: 'string | number',
    PositiveInt: 'number',
    NonNegativeInt: 'number',
    JSONObject: 'Record<string, unknown>',
  },
} as const;

/** Generates the types of each document beside the document, so that they are part of the screen's chunk. */
export default {
  schema: '../gateway/supergraph.graphql',
  documents: 'app/**/*.graphql',
  generates: {
    'generated/schema.ts': { plugins: ['typescript'], config },
    'app/': {
      preset: 'near-operation-file',
      presetConfig: { folder: 'generated', extension: '.ts', baseTypesPath: '../generated/schema.ts' },
      plugins: ['typescript-operations', 'typed-document-node'],
      config,
    },
  },
} satisfies Types.Config;
