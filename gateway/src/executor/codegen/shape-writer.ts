import {
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type CollectedField, collectFields, type Fragments, type GuardedSelections } from './collect.ts';
import { literal, property } from './source.ts';
import { typesWithin } from './types.ts';

/** A position in the answer; its depth is the length of its path. */
interface Position {
  readonly type: GraphQLOutputType;
  readonly sets: readonly GuardedSelections[];
  readonly depth: number;
  /** `Type.field`, for error messages. */
  readonly field: string;
}

const BUILT_IN: Readonly<Record<string, (value: string) => string>> = {
  String: (value) => `typeof ${value}==="string"`,
  Boolean: (value) => `typeof ${value}==="boolean"`,
  Int: (value) => `(${value}|0)===${value}`,
  Float: (value) => `typeof ${value}==="number"`,
  ID: (value) => `(typeof ${value}==="string"||Number.isInteger(${value}))`,
};

/**
 * The generated source of a shaping function: functions (x, r) that convert a non-null raw value x to its
 * answer, or to null if it must not be answered.
 */
export interface Writing {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly publicNames: ReadonlyMap<string, string>;
  readonly functions: string[];
  /** Sets of names that the functions use. */
  readonly sets: ReadonlySet<string>[];
  /** Numbers of selection sets. */
  readonly ids: Map<SelectionSetNode, number>;
}

export function writeRoot(w: Writing, { operation, selectionSet }: OperationDefinitionNode): string {
  const type = w.schema.getRootType(operation)!;
  const sets = [{ guard: [], selections: selectionSet }];
  return objectOf(w, [type], collected(w, type.name, sets), 0);
}

function collected(w: Writing, type: string, sets: readonly GuardedSelections[]): CollectedField[] {
  return collectFields(sets, w.fragments, (condition) => typesWithin(w.schema, condition).has(type));
}

function define(w: Writing, body: string): string {
  const name = `f${w.functions.length}`;
  w.functions.push(`function ${name}(x,r){${body}}`);
  return name;
}

function setOf(w: Writing, names: ReadonlySet<string>): string {
  return `sets[${w.sets.push(names) - 1}]`;
}

/** Returns the function for a composite type or a list; leaves are checked inline. */
function value(w: Writing, position: Position): string {
  const type = getNullableType(position.type);
  if (isListType(type)) return list(w, { ...position, type: type.ofType });
  if (isAbstractType(type)) return abstract(w, type, position);
  const object = type as GraphQLCompositeType;
  return objectOf(w, [object], collected(w, object.name, position.sets), position.depth, position.field);
}

function list(w: Writing, element: Position): string {
  const { type, depth, field } = element;
  const where = literal(field);
  const fail = isNonNullType(type) ? 'bad=true;' : '';
  const absent = fail && `missing(r,${depth},i,${where});${fail}`;
  const misfit = `{wrong(r,${depth},i,${where});o[i]=null;${fail}}`;
  const shaped = isLeafType(getNullableType(type))
    ? `if(${isLeaf(w, type, 'e')})o[i]=e;else${misfit}`
    : `r.path[${depth}]=i;o[i]=${value(w, { ...element, depth: depth + 1 })}(e,r);
${fail && `if(o[i]===null)${fail}`}`;
  return define(
    w,
    `if(!Array.isArray(x)){wrong(r,${depth - 1},r.path[${depth - 1}],${where});return null;}
const n=x.length,o=new Array(n);let bad=false;
for(let i=0;i<n;i++){const e=x[i];if(e==null){o[i]=null;${absent}}else{${shaped}}}
return bad?null:o;`,
  );
}

/** Writes one function per group of types with the same selected fields, chosen by `__typename`. */
function abstract(w: Writing, type: GraphQLCompositeType, { sets, depth, field }: Position): string {
  const groups = new Map<string, { types: GraphQLCompositeType[]; fields: CollectedField[] }>();
  const names = typesWithin(w.schema, type.name);
  for (const name of names) {
    const possible = w.schema.getType(name) as GraphQLCompositeType;
    const fields = collected(w, name, sets);
    const key = fields.map((each) => signature(w, each, possible)).join();
    const group = groups.get(key) ?? { types: [], fields };
    groups.set(key, group);
    group.types.push(possible);
  }
  const cases = [...groups.values()].map(({ types, fields }) => {
    const labels = types.map(({ name }) => `case ${literal(name)}:`).join('');
    const unnamed = types.includes(type) ? 'case undefined:' : '';
    return `${labels}${unnamed}return ${objectOf(w, types, fields, depth, field)}(x,r);`;
  });
  return define(w, `switch(x.__typename){${cases.join('\n')}default:return unknownType(r,${depth});}`);
}

/** Returns a text that is equal for two types if the field is answered in the same way. */
function signature(
  w: Writing,
  { responseName, node, guards, selections }: CollectedField,
  parent: GraphQLCompositeType,
): string {
  const field = isUnionType(parent) ? undefined : parent.getFields()[node.name.value];
  const asked = selections.map(({ selections: set }) => {
    const id = w.ids.get(set) ?? w.ids.size;
    w.ids.set(set, id);
    return id;
  });
  return JSON.stringify([responseName, node.name.value, guards, asked, String(field?.type)]);
}

/** Writes a check, so that a value that is not an object is not answered as an object of nulls. */
function objectCheck(depth: number, field: string): string {
  const give = `{wrong(r,${depth - 1},r.path[${depth - 1}],${literal(field)});return null;}`;
  return `if(typeof x!=="object"||Array.isArray(x))${give}`;
}

function objectOf(
  w: Writing,
  types: readonly GraphQLCompositeType[],
  fields: readonly CollectedField[],
  depth: number,
  field?: string,
): string {
  const check = field ? objectCheck(depth, field) : '';
  const guarded = fields.some(({ guards }) => guards.every((guard) => guard.length > 0));
  const codes = fields.map((field, index) => fieldOf(w, types, field, depth, `a${index}`));
  const keys = fields.map(({ responseName }) => literal(publicName(w, responseName)));
  if (!guarded) {
    const entries = keys.map((key, index) => `[${key}]:a${index}`);
    return define(w, `${check}${codes.join('\n')}\nreturn {${entries.join(',')}};`);
  }
  const steps = fields.map(({ guards }, index) => {
    const value = `{value:a${index},enumerable:true,writable:true,configurable:true}`;
    const keep =
      keys[index] === '"__proto__"'
        ? `Object.defineProperty(o,"__proto__",${value});`
        : `o[${keys[index]}]=a${index};`;
    return `${condition(guards)}{${codes[index]}${keep}}`;
  });
  return define(w, `${check}const o={};${steps.join('\n')}\nreturn o;`);
}

function publicName(w: Writing, responseName: string): string {
  return w.publicNames.get(responseName) ?? responseName;
}

/** Writes statements that assign one field's answer to a variable, or make the whole object null. */
function fieldOf(
  w: Writing,
  types: readonly GraphQLCompositeType[],
  { responseName, node, selections }: CollectedField,
  depth: number,
  variable: string,
): string {
  const [parent] = types as readonly [GraphQLCompositeType];
  const name = node.name.value;
  const key = literal(publicName(w, responseName));
  if (name === '__typename') return typename(w, types, responseName, depth, variable);
  if (name === '__schema' || name === '__type') return `let ${variable}=r.introspection[${key}];`;
  const field = `${parent.name}.${name}`;
  const { type } = (isUnionType(parent) ? {} : parent.getFields())[name]!;
  const at = `r,${depth},${key},${literal(field)}`;
  const required = isNonNullType(type);
  const read = `let ${variable}=${property('x', responseName)};`;
  const absent = `if(${variable}==null)${required ? `{missing(${at});return null;}` : `${variable}=null;`}`;
  if (isLeafType(getNullableType(type))) {
    const giveUp = required ? 'return null;' : `${variable}=null;`;
    return `${read}${absent}else if(!(${isLeaf(w, type, variable)})){wrong(${at});${giveUp}}`;
  }
  const shape = value(w, { type, sets: selections, depth: depth + 1, field });
  const giveUp = required ? `if(${variable}===null)return null;` : '';
  return `${read}${absent}else{r.path[${depth}]=${key};${variable}=${shape}(${variable},r);${giveUp}}`;
}

function typename(
  w: Writing,
  types: readonly GraphQLCompositeType[],
  responseName: string,
  depth: number,
  variable: string,
): string {
  const [only] = types as readonly [GraphQLCompositeType];
  if (types.length === 1 && isObjectType(only)) return `let ${variable}=${literal(only.name)};`;
  const known = setOf(w, new Set(types.filter(isObjectType).map(({ name }) => name)));
  const at = `r,${depth},${literal(publicName(w, responseName))},${literal(`${only.name}.__typename`)}`;
  return `let ${variable}=${property('x', responseName)}??x.__typename;
if(!${known}.has(${variable})){missing(${at});return null;}`;
}

/**
 * Writes the check of a raw value. Custom scalars are passed on unchanged unless they are nested too deeply.
 */
function isLeaf(w: Writing, given: GraphQLOutputType, value: string): string {
  const type = getNullableType(given);
  if (isEnumType(type)) {
    return `${setOf(w, new Set(type.getValues().map(({ name }) => name)))}.has(${value})`;
  }
  return BUILT_IN[String(type)]?.(value) ?? `(typeof ${value}!=="object"||isShallow(${value}))`;
}

/** Writes a condition that is true if one of the guards is. */
function condition(guards: CollectedField['guards']): string {
  if (guards.some((guard) => guard.length === 0)) return '';
  const all = guards.map((guard) =>
    guard.map(({ variable, equals }) => `r.conditions[${literal(variable)}]===${equals}`).join('&&'),
  );
  return `if(${all.map((each) => `(${each})`).join('||')})`;
}
