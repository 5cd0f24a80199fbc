import type { Context } from '@loyalty/platform/context';
import type { AuditEntry } from '@loyalty/platform/identity/audit';
import { findApiKey } from '../access/api-keys.service.ts';
import { findUser } from '../accounts/accounts.service.ts';

/** Types that other subgraphs resolve by their id. */
const FOUND_ELSEWHERE = [
  'Member',
  'Tier',
  'CouponPool',
  'Coupon',
  'Store',
  'Receipt',
  'Product',
  'Segment',
  'Campaign',
  'Journey',
  'Automation',
  'CustomField',
  'ObjectType',
  'EarningRule',
  'EnrollmentForm',
  'Tag',
] as const;

/**
 * Returns the object of an entry in its current state; null if it is gone, or its type cannot be resolved.
 */
export async function subjectOf(ctx: Context, { resourceType, resourceId: id }: AuditEntry) {
  if (resourceType === 'User' || resourceType === 'TeamMember') return named('User', await findUser(ctx, id));
  if (resourceType === 'ApiKey') return named('ApiKey', await findApiKey(ctx, id));
  const type = FOUND_ELSEWHERE.find((each) => each === resourceType);
  return type ? { __typename: type, id } : null;
}

const named = <Name extends string, Row>(__typename: Name, row: Row | null) => row && { ...row, __typename };
