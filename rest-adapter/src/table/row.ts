import type { UnknownNoun } from '@loyalty/platform/base/error-reasons';
import type { Deprecation } from './deprecation.ts';

/** A document from codegen: its text, and the type of its variables. */
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

/** A row as a tool of AI agents; its name is `noun_verb`. */
export interface ToolOption {
  readonly name: string;
  /** It changes nothing, although its method is not GET. */
  readonly isReadOnly?: boolean;
  /** What it changes cannot be taken back; a DELETE is so anyway. */
  readonly isDestructive?: boolean;
  /** It reaches people or systems outside of the platform. */
  readonly isOpenWorld?: boolean;
  /** The reply says how far something long is, so that a call can wait for its end. */
  readonly waits?: {
    /** Paths in the reply, such as `job.status`. */
    readonly status: string;
    readonly done: string;
    readonly total?: string;
    /** Values of `status` after which nothing changes. */
    readonly ended: readonly string[];
  };
}

interface Options {
  /** Status of success. Default: 200. */
  readonly status?: 200 | 201 | 202 | 207;
  /** Other spellings of variables: with `{ name: 'fullName' }`, `name` is read as `fullName`. */
  readonly also?: Readonly<Record<string, string>>;
  /** The reply counts what `failed`: 207 instead of 200 when anything did. */
  readonly isBatch?: boolean;
  /**
   * The field of the body whose items succeed or fail one by one. An item that does not fit its type is
   * `{ index, ok: false, id: null, created: null, error }` among the `results`.
   */
  readonly itemsField?: string;
  /** The list of the reply that has these items instead, as `{ index, error }`; the status is as usual. */
  readonly rejectedField?: string;
  /**
   * Query parameters with a prefix and any name: `{ f_: 'filters' }` gathers `f_status=open` as
   * `{ status: 'open' }` in the variable `filters`, which then is no parameter itself.
   */
  readonly prefixed?: Readonly<Record<string, string>>;
  /**
   * Chooses this row among several of one method and path: fields of the body, or of the query of a GET, have
   * these values, such as `{ confirmed: true }`. The row without `when` is for all other requests. These
   * fields are not variables of the operation.
   */
  readonly when?: Readonly<Record<string, string | boolean>>;
  /**
   * The parameter outside the path that says what the row is about, with its noun: `{ id: 'bulk job' }`. An
   * id that there is not, or that is no UUID, is answered with 404. Of several rows of one method and path
   * this one is for requests with the parameter, unless `when` chooses another.
   */
  readonly about?: Readonly<Record<string, UnknownNoun>>;
  /** What the row is about may be deleted after some time: then the answer is 410. */
  readonly expires?: boolean;
  /** Fields of the reply, at any depth, that are left out where they are null. */
  readonly omitNull?: readonly string[];
  /** The limit of the body, where it is larger than usual; the graph must allow it, too. */
  readonly bodyBytesMax?: number;
  /** It will end: answers say when, and what to use. */
  readonly deprecated?: Deprecation;
  /** The reply starts a member's session, which a cookie keeps in browsers, or ends it. */
  readonly session?: 'starts' | 'ends';
  /**
   * The reply is a file of this name, sent as it is read. The operation returns parts: each has its `content`
   * and where it ended, `after`. This is null for the last part, and is a variable of the operation.
   */
  readonly download?: string;
  /** AI agents may call it by this name, as callers of the row may. */
  readonly tool?: ToolOption;
  /** The body is a file, or holds one: its text in `content`, or rows of JSON in the field of this name. */
  readonly fileField?: string;
}

/**
 * One row of the REST table: method, full path, the operation that it runs, status of success.
 * The operation's variables are the parameters, under their documented names. Those in the path come from the
 * path, the others from the query of a GET, else from the body (of a DELETE without a body, from the query).
 * The aliases shape the reply: the fields of `reply` are the body's, other root fields are added under their
 * alias. Deeper, an object with only one selected field, not aliased, is replaced by the value of that field.
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
