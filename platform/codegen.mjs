import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const shared = (file) => fileURLToPath(new URL(`./src/graph/schema/${file}`, import.meta.url));

/** The SDL that `readTypeDefs` of the platform reads. */
function schemaOf(directory) {
  const own = `${directory}/src/**/*.graphql`;
  const hasJobs = globSync(own).some((file) => readFileSync(file, 'utf8').includes('implements Job'));
  return [shared('prelude.graphql'), ...(hasJobs ? [shared('job.graphql')] : []), own];
}

/**
 * The resolvers' types of one subgraph, generated from its SDL.
 *
 * @param mappers - by type name what a resolver gets as parent: `path#Name as NameRow`
 * @param connections - by row type the connections of it: `{ StoreRow: ['StoreConnection'] }`
 */
export const subgraphCodegen = (directory, mappers = {}, connections = {}) => ({
  schema: schemaOf(directory),
  errorsOnly: true,
  generates: {
    [`${directory}/generated/schema.ts`]: {
      plugins: [
        ...(Object.keys(connections).length > 0 ? [{ add: { content: connectionImport } }] : []),
        'typescript',
        'typescript-resolvers',
      ],
      config: {
        federation: true,
        useTypeImports: true,
        importExtension: '.ts',
        emitLegacyCommonJSImports: false,
        enumType: 'string-literal',
        enumsAsTypes: true,
        strictScalars: true,
        avoidOptionals: { field: true },
        maybeValue: 'T | null',
        inputMaybeValue: 'T | null | undefined',
        contextType: '@loyalty/platform/context#Context',
        resolverTypeWrapperSignature: 'Promise<T> | T',
        scalars: {
          DateTime: { input: 'Date', output: 'Date' },
          Date: 'string',
          EmailAddress: 'string',
          JSONObject: 'Record<string, unknown>',
          JSON: 'unknown',
          PositiveInt: 'number',
          NonNegativeInt: 'number',
          BigInt: { input: 'number | bigint', output: 'bigint' },
          URL: 'string',
          TimeZone: 'string',
          Currency: 'string',
          Base64: 'string',
          FileText: 'string',
          _FieldSet: 'string',
          federation__FieldSet: 'string',
          link__Import: 'string',
        },
        mappers: { ...mappers, ...connectionMappers(connections) },
      },
    },
  },
});

const connectionImport = "import type { ConnectionOf } from '@loyalty/platform/loading/pages';";

const connectionMappers = (connections) =>
  Object.fromEntries(
    Object.entries(connections).flatMap(([row, names]) =>
      names.map((name) => [name, `ConnectionOf<${row}>`]),
    ),
  );
