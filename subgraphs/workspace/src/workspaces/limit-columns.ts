import type { Limits } from '@loyalty/platform/base/caller';

/** Returns the limit columns of the table with this alias. */
export const limitColumns = (alias: string): string =>
  `${alias}.value_cap AS value_cap, ${alias}.requests_per_minute AS requests_per_minute,
   ${alias}.model_requests_per_minute AS model_requests_per_minute,
   ${alias}.value_writes_per_minute AS value_writes_per_minute,
   ${alias}.record_writes_per_minute AS record_writes_per_minute`;

/** Returns the limits in the columns of a row. */
export const limitsOf = (row: Limits): Limits => {
  const { valueCap, requestsPerMinute, modelRequestsPerMinute, valueWritesPerMinute, recordWritesPerMinute } =
    row;
  return { valueCap, requestsPerMinute, modelRequestsPerMinute, valueWritesPerMinute, recordWritesPerMinute };
};
