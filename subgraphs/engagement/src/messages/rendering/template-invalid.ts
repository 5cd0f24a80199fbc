import { AppError } from '@loyalty/platform/errors';

/**
 * 400 for a template; `rule` completes the sentence that the field's path begins, and the place follows.
 *
 * @param place - from 1; a fault of MJML has no column
 */
export function templateInvalid(
  field: string,
  rule: string,
  place?: { readonly line: number; readonly column?: number },
): AppError {
  const column = place?.column === undefined ? '' : `, column ${place.column}`;
  const where = place ? `, at line ${place.line}${column}` : '';
  return new AppError('BAD_USER_INPUT', 'TEMPLATE_INVALID', `${field} ${rule}${where}.`, {
    field,
    ...(place && { line: place.line }),
    ...(place?.column !== undefined && { column: place.column }),
  });
}
