import { type InputFault, inputFaults, invalid } from '@loyalty/platform/base/errors';
import {
  type InputRule,
  inputRule,
  notNull,
  required,
  scalarRules,
} from '@loyalty/platform/base/input-rules';
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { Variables } from '../../transport/transport.ts';

/** Maximum of faults that an error lists. */
const FAULTS_MAX = 50;

/**
 * Returns the values of variables that do not fit their type, with their path: `input.name`. graphql-js names
 * a missing or unknown field only in its message, with the path of the surrounding object.
 */
export function variableFaults(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Variables,
): InputFault[] {
  const faults: InputFault[] = [];
  for (const { variable, type: typeNode, defaultValue } of definitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode as never);
    if (!isInputType(type)) continue;
    if (!Object.hasOwn(given, name)) {
      if (isNonNullType(type) && !defaultValue) faults.push(faultAt(name, required));
      continue;
    }
    coerceInputValue(given[name], type, (path, _value, { message }) => {
      if (faults.length < FAULTS_MAX) faults.push(read([name, ...path], message, typeAt(type, path)));
    });
  }
  return faults.slice(0, FAULTS_MAX);
}

const faultAt = (field: string, rule: string | InputRule, code?: 'UNKNOWN_FIELD'): InputFault =>
  inputFaults(invalid(field, rule, code))[0]!;

const MISSING = /^Field "(\w+)" of required type .* was not provided\.$/s;
const UNKNOWN = /^Field "(\w+)" is not defined by type /;

/** Converts a fault from the form of graphql-js to ours. */
function read(
  path: readonly (string | number)[],
  sentence: string,
  type: GraphQLNamedInputType | null,
): InputFault {
  const place = path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${key}`))
    .join('');
  const missing = MISSING.exec(sentence)?.[1];
  if (missing !== undefined) return faultAt(`${place}.${missing}`, required);
  const unknown = UNKNOWN.exec(sentence)?.[1];
  if (unknown !== undefined) return faultAt(`${place}.${unknown}`, 'is not known', 'UNKNOWN_FIELD');
  if (/^Expected non-nullable type .* not to be null\.$/s.test(sentence)) return faultAt(place, notNull);
  // Hints about the schema are removed, because callers without a credential must not see it.
  const rule = sentence.replace(/ Did you mean .*$/s, '').replace(/\.$/, '');
  const text = `does not fit its type: ${rule}`;
  if (isEnumType(type)) return faultAt(place, inputRule('ONE_OF', text));
  const ofType = type && scalarRules[type.name];
  return faultAt(place, ofType ? { ...ofType, text } : text);
}

/** Returns the type at a path within a value of the type `from`. */
function typeAt(from: GraphQLInputType, path: readonly (string | number)[]): GraphQLNamedInputType | null {
  let type = getNamedType(from);
  for (const key of path) {
    if (typeof key === 'number') continue;
    const field = isInputObjectType(type) ? type.getFields()[key] : undefined;
    if (!field) return null;
    type = getNamedType(field.type);
  }
  return type;
}
