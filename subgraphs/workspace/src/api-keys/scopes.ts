import type { Role } from '@loyalty/platform/caller/caller';

/** What a key of the v2 API may be allowed to do. */
export const v2Scopes = [
  'members:read',
  'members:write',
  'points:write',
  'test_data:purge',
  'custom_fields:read',
  'objects:read',
  'objects:write',
  'coupons:read',
  'coupons:write',
  'captures:read',
  'captures:write',
  'stores:read',
  'stores:write',
  'receipts:read',
  'receipts:write',
  'orders:read',
  'orders:write',
  'catalog:read',
  'catalog:write',
  'imports:write',
  'segments:read',
  'segments:write',
  'campaigns:read',
  'campaigns:write',
  'automations:read',
  'automations:write',
  'transactional:send',
  'tracking:read',
  'tracking:write',
  'metrics:read',
  'ambassador:read',
  'ambassador:write',
  'webhooks:manage',
  'agents:read',
  'introspection:read',
  'keys:manage',
  'settings:read',
] as const;

/**
 * What a key of the model API may be allowed to do. Only a signed-in owner or admin grants it, for 90 days.
 */
export const v1Scopes = [
  'predictions:read',
  'decisions:read',
  'decisions:write',
  'model:data:read',
  'model:data:write',
  'model:training:read',
  'model:training:write',
  'model:training:review',
  'model:bulk:read',
  'model:bulk:write',
] as const;

const known = new Set<string>([...v2Scopes, ...v1Scopes]);
const v1 = new Set<string>(v1Scopes);

export const isScope = (scope: string): boolean => known.has(scope);
export const isV1Scope = (scope: string): boolean => v1.has(scope);

/** Does a key have it only as long as its creator is an owner or admin? */
export const needsAdmin = (scope: string): boolean => isV1Scope(scope) || scope === 'keys:manage';

const isRead = (scope: string): boolean => scope.endsWith(':read');

/** Names that stand for several scopes. */
export const presets: Readonly<Record<string, readonly string[]>> = {
  /**
   * Every v2 scope that only reads; no v1 scope, since a key ends with one, and `predictions:read` spends
   * credits.
   */
  'preset:read_only': v2Scopes.filter(isRead),
};

/** The scopes of each role. */
const roleScopes: Readonly<Record<Role, readonly string[]>> = {
  OWNER: ['*'],
  ADMIN: ['*'],
  MEMBER: [
    ...[...v2Scopes, ...v1Scopes].filter((scope) => isRead(scope) && scope !== 'predictions:read'),
    'members:write',
    'points:write',
    'coupons:write',
  ],
};

export const scopesOfRole = (role: Role): readonly string[] => roleScopes[role];
