import type { ErrorReason } from '@loyalty/platform/values/reasons/error-reasons';
import type { Schema } from './openapi-schema.ts';

/** An error that calls of an API may be answered with. */
export interface Failure {
  readonly description: string;
  readonly status: number;
  /** A code of X-Error-Code. */
  readonly code: ErrorReason;
  /** A sentence. */
  readonly example: string;
  /** Further headers that come with it. */
  readonly headers?: readonly string[];
}

/** The parts of the document of one API that do not come from its rows. */
export interface ApiDescription {
  readonly info: Schema;
  readonly securitySchemes: Readonly<Record<string, Schema>>;
  readonly errorSchema: Schema;
  /** The body of an error. */
  readonly errorOf: (code: string, sentence: string) => unknown;
  /** By the name under which the answers of operations refer to them. */
  readonly failures: Readonly<Record<string, Failure>>;
}
