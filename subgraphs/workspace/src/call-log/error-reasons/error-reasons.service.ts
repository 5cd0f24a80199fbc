import { httpStatusOf } from '@loyalty/platform/errors';
import { type ErrorCategory, errorReasons } from '@loyalty/platform/values/reasons/error-reasons';

/** Every reason, by category; its description is that of the enum. */
export const listErrorReasons = () =>
  (Object.keys(errorReasons) as ErrorCategory[]).flatMap((category) =>
    errorReasons[category].map((reason) => ({
      reason,
      category,
      httpStatus: httpStatusOf({ category, code: reason }),
      page: `/docs/errors/${reason}`,
    })),
  );
