import type { Limits } from '@loyalty/platform/caller/caller';

/** The limits of a workspace, of the table by this alias. */
export const limitColumns = (alias: string): string =>
  `${alias}.value_cap AS "valueCap", ${alias}.requests_per_minute AS "requestsPerMinute",
   ${alias}.model_requests_per_minute AS "modelRequestsPerMinute",
   ${alias}.value_writes_per_minute AS "valueWritesPerMinute",
   ${alias}.record_writes_per_minute AS "recordWritesPerMinute"`;

/** The limits among the columns of a row. */
export const limitsOf = (row: Limits): Limits => {
  const { valueCap, requestsPerMinute, modelRequestsPerMinute, valueWritesPerMinute, recordWritesPerMinute } =
    row;
  return { valueCap, requestsPerMinute, modelRequestsPerMinute, valueWritesPerMinute, recordWritesPerMinute };
};
