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

/** Makes a row a tool for AI agents. The name begins with the noun: `members_list`. */
export interface ToolOption {
  readonly name: string;
  /** The call changes nothing, although its method is not GET. */
  readonly isReadOnly?: boolean;
  /** The change cannot be undone. A DELETE is always destructive, also without this option. */
  readonly isDestructive?: boolean;
  /** The call reaches people or systems outside the platform. */
  readonly isOpenWorld?: boolean;
  /** The reply shows the progress of long work, so that a call can wait until the work has ended. */
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
  /** The reply has a count `failed`. If it is above 0, the status is 207. */
  readonly isBatch?: boolean;
  /**
   * The list in the body whose items succeed or fail independently. An invalid item appears in `results` as
   * `{ index, ok: false, id: null, created: null, error }`.
   */
  readonly itemsField?: string;
  /**
   * The list in the reply that contains the invalid items instead of `results`, as `{ index, error }`. The
   * status does not change.
   */
  readonly rejectedField?: string;
  /**
   * Collects query parameters with a prefix in one variable: with `{ f_: 'filters' }`, `f_status=open`
   * becomes `{ status: 'open' }` in `filters`. The variable itself is not a parameter.
   */
  readonly prefixed?: Readonly<Record<string, string>>;
  /**
   * Chooses this row among several rows of the same method and path, if these fields have these values, such
   * as `{ confirmed: true }`. The fields are in the query of a GET, otherwise in the body. The row without
   * `when` gets all other requests. These fields are not variables of the operation.
   */
  readonly when?: Readonly<Record<string, string | boolean>>;
  /**
   * The parameter in the query or the body with the id of what the row is about, and its noun, such as
   * `{ id: 'bulk job' }`. The answer is 404 if the id does not exist or is no UUID. Among several rows of the
   * same method and path, this row gets requests with the parameter, unless `when` chooses another row.
   */
  readonly about?: Readonly<Record<string, UnknownNoun>>;
  /** The data of the row may be deleted after some time. Then the answer is 410. */
  readonly expires?: boolean;
  /** Fields of the reply, at any depth, that are left out if they are null. */
  readonly omitNull?: readonly string[];
  /** Maximum size of the body, if it is larger than the default. The graph must allow this size, too. */
  readonly bodyBytesMax?: number;
  /** The row will be removed. Its answers say when, and what replaces it. */
  readonly deprecated?: Deprecation;
  /** The reply starts or ends the session of a member. Browsers keep the session in a cookie. */
  readonly session?: 'starts' | 'ends';
  /**
   * The reply is a file of this name. It is sent in parts while they are read from the graph. The operation
   * returns one part: its `content`, and `after`, which the next call gets as a variable. In the last part
   * `after` is null.
   */
  readonly download?: string;
  /** AI agents can call the row as this tool, with the same access rules as other callers. */
  readonly tool?: ToolOption;
  /**
   * The body is a file, or JSON that contains a file: its text in `content`, or its rows in the field of this
   * name.
   */
  readonly fileField?: string;
}

/**
 * One row of the REST table: method, full path, the operation that it runs, and the status of success.
 * The variables of the operation are the parameters, under their documented names. A parameter comes from the
 * path if the path contains it, otherwise from the query of a GET or from the body. A DELETE without a body
 * takes its parameters from the query.
 * The aliases shape the reply: the fields of `reply` become the fields of the body, and other root fields are
 * added under their alias. Below the root fields, an object is replaced by its field if only one field is
 * selected, without an alias.
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
