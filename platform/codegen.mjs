import { join } from 'node:path';
import { print } from 'graphql';
import { questionTypes } from './src/graph/question-types.ts';
import { rowTypes } from './src/graph/row-types.ts';
import { readTypeDefs } from './src/graph/type-defs.ts';

/**
 * The types of the resolvers of one subgraph, generated from its SDL, and the types of its questions to other
 * subgraphs.
 *
 * @param named - mappers for types whose rows are not exported under the same name: `path#Name as NameRow`
 */
export function subgraphCodegen(directory, named = {}) {
  const typeDefs = readTypeDefs(join(directory, 'src'));
  const mappers = rowTypes(directory, typeDefs, named);
  const connections = connectionMappers(typeDefs, mappers);
  return {
    generates: {
      [`${directory}/generated/peers.ts`]: questionTypes(directory),
      [`${directory}/generated/schema.ts`]: {
        schema: print(typeDefs),
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
          mappers: { ...mappers, ...connections },
        },
      },
    },
  };
}

const connectionImport = "import type { ConnectionOf } from '@loyalty/platform/database/pages';";

/** Maps each connection of mapped items to a page of their rows. */
function connectionMappers({ definitions }, mappers) {
  const connections = definitions.filter(({ name }) => name?.value.endsWith('Connection'));
  return Object.fromEntries(
    connections.flatMap(({ name, fields }) => {
      const nodes = fields.find((field) => field.name.value === 'nodes');
      const [item] = /\w+/.exec(print(nodes.type));
      const [row] = /\w+$/.exec(mappers[item] ?? '') ?? [];
      return row ? [[name.value, `ConnectionOf<${row}>`]] : [];
    }),
  );
}
