import { invalid } from '@loyalty/platform/base/errors';
import { required } from '@loyalty/platform/base/input-rules';
import { type Received, sourceOf } from '../input.ts';
import type { Row } from './row.ts';
import type { RowOperation } from './row-operation.ts';

type Choice = Readonly<Record<string, readonly (string | boolean)[]>>;

/** Returns the fields that choose between rows of one method and path, with their possible values. */
export function choicesOf(rows: readonly Row[]): Choice {
  const choices: Record<string, (string | boolean)[]> = {};
  for (const [name, value] of rows.flatMap(({ when = {} }) => Object.entries(when)))
    choices[name] = [...new Set([...(choices[name] ?? []), value])];
  return choices;
}

/**
 * Chooses the row for a request among the rows of its method and path: first the row whose `when` matches,
 * then a row whose `about` parameter the request has, then the row without both.
 *
 * @throws AppError VALIDATION_FAILED (400) if no row matches
 */
export function choose<Endpoint extends { readonly row: Row }>(
  endpoints: readonly [Endpoint, ...Endpoint[]],
  received: Received,
): Endpoint {
  const choices = Object.entries(choicesOf(endpoints.map(({ row }) => row)));
  const source = endpoints.length > 1 || choices.length > 0 ? sourceOf(endpoints[0].row, received) : {};
  for (const [name, values] of choices) {
    const value = source[name];
    if (value !== undefined && !isOneOf(value, values)) throw invalid(name, ruleOf(values));
  }
  const fits = endpoints.filter(({ row: { when = {} } }) =>
    Object.entries(when).every(([name, value]) => source[name] === value),
  );
  const best =
    fits.find(({ row }) => row.when) ??
    fits.find(({ row }) => Object.keys(row.about ?? {}).some((name) => source[name] !== undefined)) ??
    fits.find(({ row }) => !row.about) ??
    fits[0];
  if (best) return best;
  const [name, values] = choices.find(([name]) => source[name] === undefined) ?? choices[0]!;
  throw invalid(name, source[name] === undefined ? required : ruleOf(values));
}

/** The parts of an endpoint that name its fields. */
interface Readable {
  readonly row: Row;
  readonly operation: Pick<RowOperation, 'parameters'>;
}

/**
 * Returns a hint for the error about an unknown field: the fields of every row of a GET, beginning with the
 * chosen row, because another row may accept the field. Null unless some rows of the GET have `about` and
 * others do not.
 */
export function knownFields<Endpoint extends Readable>(
  endpoints: readonly Endpoint[],
  chosen: Endpoint,
): string | null {
  const [about] = endpoints.flatMap(({ row }) => Object.keys(row.about ?? {}));
  const isChoice = endpoints[0]!.row.method === 'GET' && endpoints.some(({ row }) => !row.about);
  if (about === undefined || !isChoice) return null;
  const fieldsOf = ({ row, operation }: Endpoint) => {
    const { when = {} } = row;
    const names = [...operation.parameters.map(({ name }) => name), ...Object.keys(when)];
    const chosenBy = [about, ...Object.entries(when).map(([name, value]) => `${name}=${value}`)];
    const condition = row.about ? `with ${chosenBy.join(' and ')}` : `without ${about}`;
    return `${condition} ${names.length > 0 ? `known are ${names.join(', ')}` : 'none are expected'}`;
  };
  return [chosen, ...endpoints.filter((each) => each !== chosen)].map(fieldsOf).join('; ');
}

/** A choice by a boolean accepts `false`, too, for the row without `when`. */
const isOneOf = (value: unknown, values: readonly (string | boolean)[]): boolean =>
  typeof value === 'boolean' ? typeof values[0] === 'boolean' : values.includes(value as string);

const ruleOf = (values: readonly (string | boolean)[]): string =>
  typeof values[0] === 'boolean' ? 'must be true or false' : `must be one of ${values.join(', ')}`;
