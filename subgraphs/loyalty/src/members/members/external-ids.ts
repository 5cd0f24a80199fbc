import { isUuid } from '@loyalty/platform/values/ids';

/**
 * External ids that may be ids of members. A UUID always means the member that has it as its id, so nobody
 * else may have it as an external id. Ids never change, so a check before the write is enough.
 */
export const possibleMemberIds = (externalIds: readonly string[]): string[] => [
  ...new Set(externalIds.filter(isUuid).map((id) => id.toLowerCase())),
];
