import { AppError, fieldSentence, type InputFault, internalError } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import type { GraphQLFormattedError } from 'graphql';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** An error of the graph for REST, where the field has its documented name. */
export function appErrorOf(
  error: GraphQLFormattedError,
  operation: RowOperation,
  prefixed: Row['prefixed'] = {},
): AppError {
  const ours = toAppError(error);
  // The message of another error may say how we are built.
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

/** A refusal without the field of the graph that it names: a row is refused as a whole. */
function withoutField({ message, path }: GraphQLFormattedError): string {
  const field = path ? fieldSentence(path) : '';
  return field && message.endsWith(field) ? message.slice(0, -field.length) : message;
}

/** `input.customAttributes.size` → `customAttributes.size`, through the document's own arguments. */
function parameterOf(field: string, { parameters }: RowOperation): string {
  let best: { readonly name: string; readonly argument: string } | null = null;
  for (const { name, argument } of parameters) {
    if (argument === null || argument.length <= (best?.argument.length ?? 0)) continue;
    const isAtOrBelow = field.startsWith(argument) && /^([.[]|$)/.test(field.slice(argument.length));
    if (isAtOrBelow) best = { name, argument };
  }
  return best ? best.name + field.slice(best.argument.length) : field.replace(/^input\./, '');
}

/** `filters.status` was sent as `f_status`. */
function withPrefix(parameter: string, prefixed: NonNullable<Row['prefixed']>): string {
  for (const [prefix, variable] of Object.entries(prefixed))
    if (parameter.startsWith(`${variable}.`)) return prefix + parameter.slice(variable.length + 1);
  return parameter;
}
