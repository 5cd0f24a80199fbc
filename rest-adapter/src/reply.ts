import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Turns the data of an operation into the documented body. */
export type Shaper = (value: unknown) => unknown;

/** A field that a document selects; `key` is its name in the reply. */
export interface Selected {
  readonly key: string;
  readonly field: string;
  readonly type: GraphQLOutputType;
  readonly description: string | null;
  readonly selections: SelectionSetNode | undefined;
}

/**
 * Returns a function that turns data into the documented reply. Enum values are in lower case, unless they
 * are codes. Below a root field, an object of which only one field is selected, such as `id`, becomes the
 * value of that field, unless the field has an alias. The object of a root field itself is replaced only by
 * its `nodes`.
 *
 * @param omitNull - fields that are left out if they are null
 */
export function replyShaper(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  omitNull: readonly string[] = [],
): (data: Record<string, unknown>) => unknown {
  const root = rootOf(operation, schema);
  const reply = selectedOf(root, operation.selectionSet).find(({ key }) => key === 'reply');
  if (reply && !reply.selections)
    throw new Error(`${reply.field} has no fields to spread into a reply; give it another alias.`);
  const shape = shaperOf(root, operation.selectionSet, 0, omitNull) ?? ((value: unknown) => value);
  return (data) => {
    const { reply, ...others } = shape(data) as { reply?: unknown };
    return Array.isArray(reply) ? reply : { ...(reply as object | undefined), ...others };
  };
}

export function rootOf(operation: OperationDefinitionNode, schema: GraphQLSchema): GraphQLOutputType {
  return (operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType())!;
}

/**
 * Returns the fields that a document selects of a type.
 *
 * @throws Error at start for a selection that rows do not support
 */
export function selectedOf(type: GraphQLOutputType, { selections }: SelectionSetNode): readonly Selected[] {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named))
    throw new Error(`A row cannot select of ${named.name}: give it a type of fields.`);
  return selections.map((selection) => {
    if (selection.kind !== Kind.FIELD)
      throw new Error('A row cannot select by type: use fields and named fragments.');
    const field = named.getFields()[selection.name.value];
    if (!field) throw new Error(`${named.name} has no field ${selection.name.value}.`);
    const { name, type: fieldType, description } = field;
    return {
      key: selection.alias?.value ?? name,
      field: name,
      type: fieldType,
      description: description ?? null,
      selections: selection.selectionSet,
    };
  });
}

/**
 * Returns the root field that decides whether something was found: `reply`, otherwise the first one. If its
 * value is null, the answer is 404.
 */
export const answerOf = (fields: readonly Selected[]): Selected =>
  fields.find(({ key }) => key === 'reply') ?? fields[0]!;

/** Enums whose values are codes. REST writes codes in upper case, like error codes. */
const CODE_ENUMS: readonly string[] = ['BulkPauseReason'];

/**
 * Returns whether REST writes the values of the enum in upper case. It writes all other enums in lower case.
 */
export const hasCodeValues = ({ name }: GraphQLNamedType): boolean => CODE_ENUMS.includes(name);

/** Returns the single selected field whose value replaces its object; null if the object stays. */
export function bareField(fields: readonly Selected[], depth: number): Selected | null {
  const [only, ...rest] = fields;
  if (!only || rest.length > 0 || only.key !== only.field) return null;
  return depth >= 2 || (depth === 1 && only.field === 'nodes') ? only : null;
}

/** Returns null if the value needs no change. */
function shaperOf(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  depth: number,
  omitNull: readonly string[],
): Shaper | null {
  const named = getNamedType(type);
  if (isEnumType(named) && !hasCodeValues(named))
    return eachOf((value) => (typeof value === 'string' ? value.toLowerCase() : value));
  if (!selections) return null;
  const fields = selectedOf(type, selections);
  const bare = bareField(fields, depth);
  const shapers = fields.flatMap((field): [string, Shaper][] => {
    const shaper = shaperOf(field.type, field.selections, depth + 1, omitNull);
    return shaper ? [[field.key, shaper]] : [];
  });
  const omitted = fields.map(({ key }) => key).filter((key) => omitNull.includes(key));
  if (shapers.length === 0 && omitted.length === 0 && !bare) return null;
  return eachOf((value) => {
    if (value === null || typeof value !== 'object') return value;
    const shaped: Record<string, unknown> = { ...value };
    for (const [key, shaper] of shapers) shaped[key] = shaper(shaped[key]);
    for (const key of omitted) if (shaped[key] === null) delete shaped[key];
    return bare ? shaped[bare.key] : shaped;
  });
}

const eachOf =
  (shaper: Shaper): Shaper =>
  (value) =>
    Array.isArray(value) ? value.map(eachOf(shaper)) : shaper(value);
