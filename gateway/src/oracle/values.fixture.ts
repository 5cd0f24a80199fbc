import {
  astFromValue,
  type ConstValueNode,
  type GraphQLInputType,
  type GraphQLNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parseType,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Draw } from './draw.fixture.ts';

const DEPTH_MAX = 3;

/** The values of an operation: literals, and variables with their sent values. */
export interface Values {
  /** Returns a value for an argument of this type: literal, variable, or mixed. */
  of(type: GraphQLInputType): ValueNode;
  /** Returns the condition of `@include` or `@skip`. */
  condition(boolean: GraphQLInputType): ValueNode;
  readonly definitions: readonly VariableDefinitionNode[];
  readonly sent: Readonly<Record<string, unknown>>;
}

interface Writing {
  readonly draw: Draw;
  readonly definitions: VariableDefinitionNode[];
  readonly sent: Record<string, unknown>;
}

export function createValues(draw: Draw): Values {
  const op: Writing = { draw, definitions: [], sent: {} };
  return {
    of: (type) => valueFor(op, type),
    condition: (boolean) =>
      draw.chance(60) ? variable(op, boolean) : { kind: Kind.BOOLEAN, value: draw.chance(50) },
    definitions: op.definitions,
    sent: op.sent,
  };
}

function valueFor(op: Writing, type: GraphQLInputType, depth = 0): ValueNode {
  if (op.draw.chance(depth === 0 ? 40 : 15)) return variable(op, type);
  if (isNonNullType(type)) return literal(op, type.ofType, depth);
  return op.draw.chance(10)
    ? { kind: Kind.NULL }
    : literal(op, type as GraphQLNullableType & GraphQLInputType, depth);
}

function literal(op: Writing, type: GraphQLInputType, depth: number): ValueNode {
  if (isListType(type)) {
    if (op.draw.chance(20)) return valueFor(op, type.ofType, depth + 1);
    const length = op.draw.below(3);
    return { kind: Kind.LIST, values: Array.from({ length }, () => valueFor(op, type.ofType, depth + 1)) };
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isRequiredInputField(field) || (depth < DEPTH_MAX && op.draw.chance(40)),
    );
    return {
      kind: Kind.OBJECT,
      fields: fields.map((field) => ({
        kind: Kind.OBJECT_FIELD,
        name: { kind: Kind.NAME, value: field.name },
        value: valueFor(op, field.type, depth + 1),
      })),
    };
  }
  return constant(json(type, op.draw, depth), type);
}

function variable(op: Writing, type: GraphQLInputType): ValueNode {
  const node = (name: string): ValueNode => ({
    kind: Kind.VARIABLE,
    name: { kind: Kind.NAME, value: name },
  });
  const known = op.definitions.filter(({ type: declared }) => sameType(declared, type));
  if (known.length > 0 && op.draw.chance(40)) return node(op.draw.pick(known).variable.name.value);
  const name = `${op.draw.pick(['v', 'id', 'representations_', 'first'])}${op.definitions.length}`;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const hasDefault = op.draw.chance(30);
  const isDeclaredNonNull = isNonNullType(type) ? !hasDefault || op.draw.chance(50) : op.draw.chance(15);
  const definition: VariableDefinitionNode = {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(`${nullable}${isDeclaredNonNull ? '!' : ''}`),
    ...(hasDefault && { defaultValue: constant(json(nullable, op.draw, 0), nullable) as ConstValueNode }),
  };
  op.definitions.push(definition);
  const mayOmit = hasDefault || !isDeclaredNonNull;
  if (mayOmit && op.draw.chance(30)) return node(name);
  const mayBeNull = !isDeclaredNonNull && !isNonNullType(type);
  op.sent[name] = mayBeNull && op.draw.chance(20) ? null : json(nullable, op.draw, 0);
  return node(name);
}

/** Returns whether a variable can be used at a position of this type. */
const sameType = (declared: VariableDefinitionNode['type'], type: GraphQLInputType): boolean =>
  typeText(declared) === String(type);

const typeText = (node: VariableDefinitionNode['type']): string => {
  if (node.kind === Kind.NON_NULL_TYPE) return `${typeText(node.type)}!`;
  return node.kind === Kind.LIST_TYPE ? `[${typeText(node.type)}]` : node.name.value;
};

/** Returns a value as a client sends it in JSON. */
function json(type: GraphQLInputType, draw: Draw, depth: number): unknown {
  if (isNonNullType(type)) return json(type.ofType, draw, depth);
  if (isListType(type)) {
    if (draw.chance(15)) return json(type.ofType, draw, depth + 1);
    return Array.from({ length: draw.below(3) }, () => orNull(type.ofType, draw, depth + 1));
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isRequiredInputField(field) || (depth < DEPTH_MAX && draw.chance(40)),
    );
    return Object.fromEntries(fields.map((field) => [field.name, orNull(field.type, draw, depth + 1)]));
  }
  if (isEnumType(type)) return draw.pick(type.getValues()).name;
  return scalar(type.name, draw);
}

const orNull = (type: GraphQLInputType, draw: Draw, depth: number): unknown =>
  !isNonNullType(type) && draw.chance(12) ? null : json(type, draw, depth);

function scalar(name: string, draw: Draw): unknown {
  const number = draw.below(5);
  if (name === 'Int') return number;
  if (name === 'Float') return draw.pick([number, number + 0.5]);
  if (name === 'Boolean') return number % 2 === 0;
  if (name === 'ID' || name === 'String') return draw.pick([`text ${number}`, '', 'a "quoted" \\ text\n']);
  return draw.pick<unknown>([`scalar ${number}`, number, [number, 'a'], { a: { b: [number] } }, true]);
}

/** Returns the literal of a JSON value; graphql-js cannot make literals for objects of a custom scalar. */
function constant(value: unknown, type: GraphQLInputType): ValueNode {
  if (isNonNullType(type)) return constant(value, type.ofType);
  if (value === null) return { kind: Kind.NULL };
  if (isListType(type)) {
    if (!Array.isArray(value)) return constant(value, type.ofType);
    return { kind: Kind.LIST, values: value.map((item) => constant(item, type.ofType)) };
  }
  if (isInputObjectType(type)) {
    const fields = Object.entries(value as Record<string, unknown>).map(([name, inner]) =>
      objectField(name, constant(inner, type.getFields()[name]!.type)),
    );
    return { kind: Kind.OBJECT, fields };
  }
  const isBuiltIn = ['Int', 'Float', 'Boolean', 'ID', 'String'].includes(type.name);
  return isEnumType(type) || isBuiltIn ? astFromValue(value, type)! : untyped(value);
}

const objectField = (name: string, value: ValueNode) =>
  ({ kind: Kind.OBJECT_FIELD, name: { kind: Kind.NAME, value: name }, value }) as const;

function untyped(value: unknown): ValueNode {
  if (Array.isArray(value)) return { kind: Kind.LIST, values: value.map(untyped) };
  if (typeof value === 'string') return { kind: Kind.STRING, value };
  if (typeof value === 'number') return { kind: Kind.INT, value: String(value) };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  const fields = Object.entries(value as Record<string, unknown>).map(([name, inner]) =>
    objectField(name, untyped(inner)),
  );
  return { kind: Kind.OBJECT, fields };
}
