import type { UnknownNoun } from '@loyalty/platform/base/error-reasons';
import { AppError, invalid, notFound } from '@loyalty/platform/base/errors';
import { type Check, gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { checkStorable } from '@loyalty/platform/base/input';
import { anObject, notNull, required } from '@loyalty/platform/base/input-rules';
import { type GraphQLInputType, getNamedType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { type Place, readLeaf } from './input-leaf.ts';
import type { Row } from './table/row.ts';
import type { Parameter, RowOperation } from './table/row-operation.ts';

/** The parts of an HTTP request that contain parameters. */
export interface Received {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

type Source = Readonly<Record<string, unknown>>;

/** How a row was chosen among others of its path. */
interface Chosen {
  readonly selectors: readonly string[];
  readonly known: string | null;
}
const noChoice: Chosen = { selectors: [], known: null };

/** Returns the part of the request with the parameters that are not in the path. */
export const sourceOf = (row: Row, { query, body }: Received): Source =>
  row.method === 'GET' ? query : bodyOf(body);

/** Returns where a parameter of a row is documented: in the path, the query or the body. */
export function placeOf(row: Row, name: string): Place {
  if (row.path.split('/').includes(`:${name}`)) return 'path';
  return row.method === 'GET' ? 'query' : 'body';
}

/**
 * Returns the variables of the row's operation, from path, query and body, checked against their types.
 *
 * @param chosen.selectors - names of the fields that choose between the rows of this path
 * @param chosen.known - hint for the error about an unknown field: the fields of all rows of this path; null
 *   for the fields of this row only
 * @throws AppError VALIDATION_FAILED (400) naming every wrong field; 404 if an id in the path or in `about`
 *   is no UUID
 */
export function readVariables(
  row: Row,
  operation: RowOperation,
  received: Received,
  chosen = noChoice,
): Record<string, unknown> {
  return gathered((check) => readChecked(check, row, operation, received, chosen));
}

function readChecked(
  check: Check,
  row: Row,
  operation: RowOperation,
  received: Received,
  chosen: Chosen,
): Record<string, unknown> {
  const sources: Record<Place, Source> = {
    path: received.params,
    query: received.query,
    body: bodyOf(received.body),
  };
  // Proxies may drop the body of a DELETE.
  const isBodyless = row.method === 'DELETE' && received.body === undefined;
  const variables: Record<string, unknown> = readPrefixed(check, row, received.query);
  const named = operation.parameters.filter(({ name }) => prefixOf(row, name) === null);
  const placed = named.map((parameter) => {
    const place = placeOf(row, parameter.name);
    return { parameter, place: isBodyless && place === 'body' ? 'query' : place } as const;
  });
  const chosenIn = row.method === 'GET' ? 'query' : 'body';
  for (const place of ['query', 'body'] as const) {
    const names = placed.filter((each) => each.place === place).map(({ parameter }) => parameter.name);
    const all = place === chosenIn ? [...names, ...chosen.selectors] : names;
    refuseUnknown(check, sources[place], all, row, place === chosenIn ? chosen.known : null);
  }
  for (const { parameter, place } of placed) {
    check(() => {
      const given = lookUp(sources[place], parameter.name, row.also);
      if (given !== undefined) variables[parameter.name] = readParameter(check, row, parameter, given, place);
      else if (isNonNullType(parameter.type) && parameter.defaultValue === undefined)
        throw invalid(parameter.name, required);
    });
  }
  return variables;
}

function readParameter(check: Check, row: Row, parameter: Parameter, given: unknown, place: Place): unknown {
  const { name, type } = parameter;
  checkStorable(name, given);
  if (place === 'path') checkId(row, parameter, String(given));
  if (row.about?.[name] && typeof given === 'string') checkId(row, parameter, given);
  return read(check, given, type, name, place);
}

function bodyOf(body: unknown): Source {
  if (body === undefined || body === null) return {};
  if (typeof body === 'object' && !Array.isArray(body)) return body as Source;
  throw new AppError('BAD_USER_INPUT', 'BODY_INVALID', 'The body must be a JSON object.');
}

/** Returns the prefix of the query parameters that form a variable; null if the variable is one parameter. */
export const prefixOf = ({ prefixed = {} }: Row, name: string): string | null =>
  Object.keys(prefixed).find((prefix) => prefixed[prefix] === name) ?? null;

/** Collects query parameters with a prefix in variables. Names lose the prefix; values stay text. */
function readPrefixed(
  check: Check,
  { prefixed = {} }: Row,
  query: Source,
): Record<string, Record<string, unknown>> {
  const variables: Record<string, Record<string, unknown>> = {};
  for (const [prefix, variable] of Object.entries(prefixed)) {
    const entries = Object.entries(query).filter(([name]) => name.startsWith(prefix));
    for (const [name, value] of entries) {
      check(() => {
        if (Array.isArray(value)) throw invalid(name, 'is given more than once');
        checkStorable(prefix, name);
        checkStorable(name, value);
      });
    }
    if (entries.length === 0) continue;
    variables[variable] = Object.fromEntries(
      entries.map(([name, value]) => [name.slice(prefix.length), value]),
    );
  }
  return variables;
}

function refuseUnknown(
  check: Check,
  source: Source,
  names: readonly string[],
  { also = {}, prefixed = {} }: Row,
  known: string | null,
): void {
  for (const name of Object.keys(source)) {
    if (names.includes(name) || Object.keys(prefixed).some((prefix) => name.startsWith(prefix))) continue;
    const meant = Object.hasOwn(also, name) ? also[name]! : '';
    check(() => {
      if (!names.includes(meant)) {
        const hint = known ?? (names.length > 0 ? `known are ${names.join(', ')}` : 'none are expected');
        throw invalid(name, `is not a field of this request; ${hint}`, 'UNKNOWN_FIELD');
      }
      if (Object.hasOwn(source, meant))
        throw invalid(name, `is another spelling of ${meant}; send one of them`);
    });
  }
}

function lookUp(source: Source, name: string, also: Row['also']): unknown {
  if (Object.hasOwn(source, name)) return source[name];
  const spelling = Object.entries(also ?? {}).find(
    ([other, meant]) => meant === name && Object.hasOwn(source, other),
  );
  return spelling && source[spelling[0]];
}

/** An id that is no UUID cannot exist: the documented answer is 404. */
function checkId(row: Row, { name, type }: Parameter, value: string): void {
  if (getNamedType(type).name !== 'ID' || isUuid(value)) return;
  throw missing(row, name, value);
}

/** Words in paths for which the graph uses another noun. */
const nouns: Readonly<Record<string, UnknownNoun>> = {
  'external order': 'order',
  run: 'agent run',
  'tag key': 'tag',
  type: 'object type',
  webhook: 'webhook endpoint',
};

/**
 * Returns the 404 error of a row. Its noun comes from `about`, from the path segment before `:id`, or from a
 * name such as `:memberId`.
 */
export function missing(row: Row, name: string, value: string): AppError {
  const about = row.about?.[name];
  if (about !== undefined) return notFound(about, value);
  const segments = row.path.split('/');
  const before = segments[segments.indexOf(`:${name}`) - 1] ?? '';
  const noun = name === 'id' ? before.replace(/ies$/, 'y').replace(/s$/, '') : name.replace(/Id$/, '');
  const words = noun.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return notFound(nouns[words] ?? (words as UnknownNoun), value);
}

function read(check: Check, value: unknown, type: GraphQLInputType, path: string, place: Place): unknown {
  if (isNonNullType(type)) {
    if (value === null) throw invalid(path, notNull);
    return read(check, value, type.ofType, path, place);
  }
  if (value === null) return null;
  if (isListType(type)) {
    // In a query a list is a repeated parameter, so a list of one looks like a single value.
    const items = place === 'query' && !Array.isArray(value) ? [value] : value;
    if (!Array.isArray(items)) throw invalid(path, 'must be an array');
    return items.map((item, index) =>
      check(() => read(check, item, type.ofType, `${path}[${index}]`, place)),
    );
  }
  if (isInputObjectType(type)) return readObject(check, value, type.getFields(), path, place);
  return readLeaf(value, type, path, place);
}

function readObject(
  check: Check,
  value: unknown,
  fields: Readonly<Record<string, { readonly type: GraphQLInputType; readonly defaultValue?: unknown }>>,
  path: string,
  place: Place,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, anObject);
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(fields, name)) continue;
    const rule = `is not known; known are ${Object.keys(fields).join(', ')}`;
    check(() => {
      throw invalid(`${path}.${name}`, rule, 'UNKNOWN_FIELD');
    });
  }
  const result: Record<string, unknown> = {};
  for (const [name, { type, defaultValue }] of Object.entries(fields)) {
    check(() => {
      if (Object.hasOwn(value, name))
        result[name] = read(check, (value as Source)[name], type, `${path}.${name}`, place);
      else if (isNonNullType(type) && defaultValue === undefined) throw invalid(`${path}.${name}`, required);
    });
  }
  return result;
}
