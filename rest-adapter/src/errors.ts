import { AppError, fieldSentence, type InputFault, internalError } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import type { GraphQLFormattedError } from 'graphql';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** Converts an error of the graph for REST. Fields get their documented names. */
export function appErrorOf(
  error: GraphQLFormattedError,
  operation: RowOperation,
  prefixed: Row['prefixed'] = {},
): AppError {
  const ours = toAppError(error);
  // The message of any other error may contain details of the implementation.
  if (!ours) return internalError();
  const { category, code, details } = ours;
  const sentence = withoutField(error);
  const { field, errors } = details;
  if (field === undefined) return new AppError(category, code, sentence, details);
  const renamed = (fault: InputFault): InputFault => {
    const name = withPrefix(parameterOf(fault.field, operation), prefixed);
    const hasName = fault.message.startsWith(`${fault.field} `);
    const message = hasName ? name + fault.message.slice(fault.field.length) : fault.message;
    return { ...fault, field: name, message };
  };
  const first = renamed({ field, code, message: sentence });
  return new AppError(category, code, first.message, {
    ...details,
    field: first.field,
    ...(errors && { errors: errors.map(renamed) }),
  });
}

/**
 * Removes the sentence that names the refused field of the graph, because REST clients do not see these
 * fields.
 */
function withoutField({ message, path }: GraphQLFormattedError): string {
  const field = path ? fieldSentence(path) : '';
  return field && message.endsWith(field) ? message.slice(0, -field.length) : message;
}

/**
 * Returns the parameter for an argument of the graph, according to the document of the row: `input.birthOn`
 * becomes `birthDate`.
 */
function parameterOf(field: string, { parameters }: RowOperation): string {
  let best: { readonly name: string; readonly argument: string } | null = null;
  for (const { name, argument } of parameters) {
    if (argument === null || argument.length <= (best?.argument.length ?? 0)) continue;
    const isAtOrBelow = field.startsWith(argument) && /^([.[]|$)/.test(field.slice(argument.length));
    if (isAtOrBelow) best = { name, argument };
  }
  return best ? best.name + field.slice(best.argument.length) : field.replace(/^input\./, '');
}

/** Returns the name as the client sent it: `filters.status` becomes `f_status`. */
function withPrefix(parameter: string, prefixed: NonNullable<Row['prefixed']>): string {
  for (const [prefix, variable] of Object.entries(prefixed))
    if (parameter.startsWith(`${variable}.`)) return prefix + parameter.slice(variable.length + 1);
  return parameter;
}
