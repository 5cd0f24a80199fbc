import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  parse,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const supergraphFile = fileURLToPath(new URL('../../../gateway/supergraph.graphql', import.meta.url));

/**
 * An output of GraphQL Code Generator: the types of a package's questions to subgraphs. They are generated
 * from its `peers.graphql` and the composed graph, which includes the fields for peers.
 */
export function questionTypes(directory: string): object {
  const file = join(directory, 'src/peers.graphql');
  const types = "import type { Question } from '@loyalty/platform/base/questions';";
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

/** Declares each operation with its subgraph and the types of its answer and its variables. */
function questionsOf(document: DocumentNode): string {
  const sdl = parse(readFileSync(supergraphFile, 'utf8'), { noLocation: true });
  const schema = buildASTSchema(sdl, { assumeValid: true });
  const rows = Object.entries(separateOperations(document)).map(([name, one]) => {
    const { operation } = getOperationAST(one)!;
    const type = `${name}${operation[0]!.toUpperCase()}${operation.slice(1)}`;
    return `  readonly ${name}: Question<'${peerOf(name, one, schema)}', ${type}, ${type}Variables>;`;
  });
  return `/** All of them, by name. */\nexport interface Questions {\n${rows.join('\n')}\n}`;
}

/** Returns the subgraph that has all fields of an operation. */
function peerOf(name: string, document: DocumentNode, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema);
  const owners: string[][] = [];
  const Field = () => void owners.push(graphsOf(types, schema));
  visit(document, visitWithTypeInfo(types, { Field }));
  const [peer] = owners.reduce((all, some) => all.filter((one) => some.includes(one)));
  if (!peer) throw new Error(`No subgraph has all fields of the question ${name}.`);
  return peer.toLowerCase();
}

/** Returns the subgraphs that resolve the visited field: those of the field, or all of its type. */
function graphsOf(types: TypeInfo, schema: GraphQLSchema): string[] {
  const joins = (directive: string, node: Annotated | null | undefined): readonly Join[] =>
    (node?.directives ?? [])
      .filter(({ name }) => name.value === directive)
      .map((one) => getArgumentValues(schema.getDirective(directive)!, one));
  const own = joins('join__field', types.getFieldDef()?.astNode).filter(({ external }) => !external);
  const places = own.length > 0 ? own : joins('join__type', types.getParentType()?.astNode);
  return places.flatMap(({ graph }) => graph ?? []);
}

interface Annotated {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

/** Arguments of `@join__field` and `@join__type`. */
interface Join {
  readonly graph?: string;
  readonly external?: boolean;
}
