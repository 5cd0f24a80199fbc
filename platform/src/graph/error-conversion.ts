import { GraphQLError, type GraphQLErrorOptions, type GraphQLFormattedError } from 'graphql';
import type { ErrorCategory, ErrorReason } from '../base/error-reasons.ts';
import { AppError, type ContentIssue, httpStatus, type InputFault, inputFaults } from '../base/errors.ts';
import type { RuleValues } from '../base/input-rules.ts';

/** Converts an error to the form of a GraphQL answer: `code` is its category, `reason` its code. */
export function toFormattedError(error: AppError): GraphQLFormattedError {
  const { message, category, code, details } = error;
  // A rule belongs to a field, so it is part of `errors`.
  const { path, rule: _, values, ...shown } = details;
  const errors = inputFaults(error);
  return {
    message,
    ...(path && { path }),
    extensions: {
      code: category,
      reason: code,
      ...shown,
      ...(values && !details.rule && { values }),
      ...(errors.length > 0 && { errors }),
    },
  };
}

/** Converts an error to a GraphQLError; nodes and path of `place` take precedence. */
export function toGraphQLError(
  error: AppError,
  place: Pick<GraphQLErrorOptions, 'nodes' | 'path'> = {},
): GraphQLError {
  const { message, path, extensions } = toFormattedError(error);
  return new GraphQLError(message, { ...(path && { path }), ...place, ...(extensions && { extensions }) });
}

/** Converts an error of an answer back to an AppError; null if another server made the error. */
export function toAppError({
  message,
  extensions,
}: Pick<GraphQLFormattedError, 'message' | 'extensions'>): AppError | null {
  const { code, reason, field, errors, values, line, column, issues, retryAfterSeconds } = extensions ?? {};
  if (!isCategory(code)) return null;
  return new AppError(code, (typeof reason === 'string' ? reason : code) as ErrorReason, message, {
    ...(typeof field === 'string' && { field }),
    ...(isRecord(values) && { values: values as RuleValues }),
    ...(Array.isArray(errors) && faultDetails(errors as InputFault[])),
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
    ...(Array.isArray(issues) && { issues: issues as ContentIssue[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The details of a single fault are those of the error itself, except for its rule. */
function faultDetails(
  errors: readonly InputFault[],
): Pick<AppError['details'], 'errors' | 'rule' | 'values'> {
  if (errors.length > 1) return { errors };
  const { rule, values } = errors[0] ?? {};
  return rule ? { rule, ...(values && { values }) } : {};
}

const isCategory = (code: unknown): code is ErrorCategory =>
  typeof code === 'string' && Object.hasOwn(httpStatus, code);
