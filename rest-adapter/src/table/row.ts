/** A document as codegen gives it: its text, and the types of its variables and result. */
export interface Document<Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => unknown;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Names of the `:parameters` in a path. */
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

interface Options {
  /** Status of success; 200 unless told. */
  readonly status?: 200 | 201 | 202 | 207;
  /** Other spellings of variables that are understood: `{ name: 'fullName' }` reads `name` as `fullName`. */
  readonly also?: Readonly<Record<string, string>>;
  /** The reply counts what `failed`: 207 instead of 200 when anything did. */
  readonly isBatch?: boolean;
  /**
   * The field of the body whose items are each done by themselves: one that does not fit its type fails
   * alone, as `{ index, ok: false, id: null, created: null, error }` among the `results`.
   */
  readonly itemsField?: string;
  /**
   * Query parameters whose names nobody knows beforehand: `{ f_: 'filters' }` gathers `f_status=open` as
   * `{ status: 'open' }` in the variable `filters`, which is no parameter by its own name then.
   */
  readonly prefixed?: Readonly<Record<string, string>>;
  /**
   * Of several rows of one method and path, this one is meant where fields of the body, or of the query of a
   * GET, have these values: `{ confirmed: true }`. The row without `when` is for the rest. Such fields are no
   * variables of the operation.
   */
  readonly when?: Readonly<Record<string, string | boolean>>;
  /** Fields of the reply, wherever they are selected, that are absent instead of null. */
  readonly omitNull?: readonly string[];
  /** Bytes of the body, where more than usual are taken; the graph must take them, too. */
  readonly bodyBytesMax?: number;
  /** The body is a file, or holds one: its text in `content`, or rows of JSON in the field of this name. */
  readonly fileField?: string;
}

/**
 * One line of the REST table: method, full path, the operation that it runs, status of success.
 * The operation's variables are the parameters by their documented names: those in the path come from there,
 * the others from the query of a GET, else from the body (of a DELETE without one, from the query).
 * Its aliases are the reply: `reply` is spread into the body, any other root field stands under its alias,
 * and deeper a selection of one field, by its own name, stands for that field's value.
 */
export interface Row extends Options {
  readonly method: Method;
  readonly path: string;
  readonly document: string;
}

const row =
  (method: Method) =>
  <Path extends string, Variables extends { [Name in Parameters<Path>]: unknown }>(
    path: Path,
    document: Document<Variables>,
    options: Options = {},
  ): Row => ({ method, path, document: document.toString(), ...options });

export const GET = row('GET');
export const POST = row('POST');
export const PATCH = row('PATCH');
export const DELETE = row('DELETE');
