import fc from 'fast-check';
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  validate,
} from 'graphql';
import type { Case } from './case.fixture.ts';
import { type Draw, drawFrom } from './draw.fixture.ts';
import { createSelections } from './selections.fixture.ts';
import { createValues } from './values.fixture.ts';
import type { World } from './world.fixture.ts';

/** Decisions per operation; further ones are the simplest. */
const DECISIONS = 500;

const introspections = [
  '__schema { queryType { name } mutationType { name } types { name kind } }',
  '__schema { directives { name args { name type { kind name ofType { name } } } } }',
  ...['Product', 'Media', 'Hit', 'LegInput', 'Level', 'Nothing'].map(
    (type) =>
      `__type(name: "${type}") { name kind fields { name args { name defaultValue } type { kind name } }
       possibleTypes { name } interfaces { name } enumValues { name } inputFields { name defaultValue } }`,
  ),
];

/** Returns valid operations of a world; the same seed gives the same operations. */
export function operationsOf(world: World, seed: number, count: number): Case[] {
  const numbers = fc.array(fc.nat(), { minLength: DECISIONS, maxLength: DECISIONS });
  return fc
    .sample(numbers, { seed, numRuns: Math.ceil(count * 1.3) })
    .map((drawn) => operationFrom(world, drawFrom(drawn)))
    .filter((operation) => operation !== null)
    .slice(0, count);
}

/** Returns the operation of these decisions; null if it is not valid. */
function operationFrom({ supergraph: { schema } }: World, draw: Draw): Case | null {
  const values = createValues(draw);
  const selections = createSelections(schema, draw, values);
  const isMutation = schema.getMutationType() && draw.chance(12);
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error('There is no Query.');
  const { selections: fields } = selections.of(root);
  const operationName = draw.chance(40) ? 'Asked' : undefined;
  const definition: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: isMutation ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY,
    ...(operationName && { name: { kind: Kind.NAME, value: operationName } }),
    variableDefinitions: values.definitions,
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: isMutation ? fields : [...fields, ...introspection(draw)],
    },
  };
  const others = operationName && draw.chance(25) ? 'query Other { __typename }' : '';
  const parts = [others, print(definition), ...selections.fragments.map(print)];
  const document = parse(parts.join('\n'), { noLocation: true });
  if (validate(schema, document).length > 0) return null;
  return { document, operationName, variables: values.sent };
}

function introspection(draw: Draw): SelectionNode[] {
  if (!draw.chance(6)) return [];
  const query = parse(`{ ${draw.pick(introspections)} }`).definitions[0] as OperationDefinitionNode;
  const field = query.selectionSet.selections[0] as FieldNode;
  return [draw.chance(50) ? { ...field, alias: { kind: Kind.NAME, value: 'meta' } } : field];
}
