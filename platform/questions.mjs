import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildASTSchema,
  getOperationAST,
  parse,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const supergraphFile = fileURLToPath(new URL('../gateway/supergraph.graphql', import.meta.url));

/**
 * The types of what a package asks of subgraphs, generated from its `peers.graphql` and the composed graph,
 * which holds the fields for peers, too: an output of GraphQL Code Generator.
 */
export function questionTypes(directory) {
  const file = join(directory, 'src/peers.graphql');
  const types = "import type { Question } from '@loyalty/platform/graph/questions';";
  return {
    schema: supergraphFile,
    documents: file,
    plugins: [
      { add: { content: types } },
      'typescript-operations',
      { add: { placement: 'append', content: questionsOf(parse(readFileSync(file, 'utf8'))) } },
    ],
    config: {
      useTypeImports: true,
      enumType: 'string-literal',
      skipTypename: true,
      immutableTypes: true,
      arrayInputCoercion: false,
      defaultScalarType: 'unknown',
      scalars: {
        ID: 'string',
        DateTime: { input: 'Date', output: 'string' },
        Date: 'string',
        EmailAddress: 'string',
        JSONObject: 'Readonly<Record<string, unknown>>',
        PositiveInt: 'number',
        NonNegativeInt: 'number',
        BigInt: 'number | string',
        URL: 'string',
        TimeZone: 'string',
        Currency: 'string',
      },
    },
  };
}

/** Each operation with the subgraph that it is for, what that answers and what it takes. */
function questionsOf(document) {
  const sdl = parse(readFileSync(supergraphFile, 'utf8'), { noLocation: true });
  const schema = buildASTSchema(sdl, { assumeValid: true });
  const rows = Object.entries(separateOperations(document)).map(([name, one]) => {
    const { operation } = getOperationAST(one);
    const type = `${name}${operation[0].toUpperCase()}${operation.slice(1)}`;
    return `  readonly ${name}: Question<'${peerOf(name, one, schema)}', ${type}, ${type}Variables>;`;
  });
  return `/** All of them, by name. */\nexport interface Questions {\n${rows.join('\n')}\n}`;
}

/** The subgraph that has every field of an operation. */
function peerOf(name, document, schema) {
  const types = new TypeInfo(schema);
  let peers = null;
  const Field = () => {
    const owners = new Set(graphsOf(types.getFieldDef()?.astNode, types.getParentType()?.astNode));
    peers = peers?.intersection(owners) ?? owners;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  const [peer] = peers;
  if (!peer) throw new Error(`No subgraph has all fields of the question ${name}.`);
  return peer;
}

/** The subgraphs that resolve a field: its own, or all of its type. */
function graphsOf(field, type) {
  const named = field?.directives.filter((one) => one.name.value === 'join__field') ?? [];
  const own = named.filter(({ arguments: args }) => !args.some((one) => one.name.value === 'external'));
  const places =
    own.length > 0 ? own : (type?.directives.filter((one) => one.name.value === 'join__type') ?? []);
  return places.map(({ arguments: args }) =>
    args.find((one) => one.name.value === 'graph').value.value.toLowerCase(),
  );
}
