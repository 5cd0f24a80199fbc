import type { Role } from '@loyalty/platform/base/caller';

/** Scopes of the v2 API, with their descriptions. */
const v2 = {
  'members:read': 'Read members with their personal data, points, tiers, consents and activity.',
  'members:write': 'Enrol, change and erase members, and record their consents.',
  'points:write': 'Award, adjust and reverse points.',
  'test_data:purge': 'Delete all data of the sandbox.',
  'custom_fields:read': 'Read the definitions of custom fields and the values in use.',
  'objects:read': 'Read types and records of custom objects.',
  'objects:write': 'Create, change and delete records of custom objects.',
  'coupons:read': 'Read coupon pools and codes.',
  'coupons:write': 'Create pools and codes; issue, redeem and void codes.',
  'captures:read': 'Read addresses that were collected before enrolment.',
  'captures:write': 'Collect addresses before enrolment.',
  'stores:read': 'Read stores and visits.',
  'stores:write': 'Create and change stores, and record visits.',
  'receipts:read': 'Read receipts and their pictures.',
  'receipts:write': 'Submit and review receipts.',
  'orders:read': 'Read orders and refunds.',
  'orders:write': 'Record and change orders, and refund them.',
  'catalog:read': 'Read products, categories and brands.',
  'catalog:write': 'Create, change and delete products, categories and brands.',
  'imports:write': 'Import files of members, orders and products.',
  'segments:read': 'Read segments and who is in them.',
  'segments:write': 'Create, change and delete segments.',
  'campaigns:read': 'Read campaigns, journeys and their results.',
  'campaigns:write': 'Draft and change campaigns and journeys.',
  'automations:read': 'Read automations.',
  'automations:write': 'Create, change, pause and resume automations.',
  'transactional:send': 'Send messages from templates to single members.',
  'tracking:read': 'Read tracked events and their statistics.',
  'tracking:write': 'Record what visitors do.',
  'metrics:read': 'Read figures of the programme, of sales and of campaigns.',
  'ambassador:read': 'Read ambassadors and referrals.',
  'ambassador:write': 'Appoint ambassadors and change their codes.',
  'webhooks:manage': 'Create webhooks, read their deliveries and send them again.',
  'agents:read': 'Read runs of AI agents.',
  'introspection:read': 'Read the schema of the graph.',
  'keys:manage': 'Create and revoke API keys, and read the call log.',
  'settings:read': 'Read settings of the workspace and its modules.',
} as const;

/** Scopes of the model API. Only a signed-in owner or admin can grant them, for 90 days. */
const v1 = {
  'predictions:read': 'Ask for scores and states of members; answers cost credits.',
  'decisions:read': 'Read decision scores.',
  'decisions:write': 'Ask for decision scores; answers cost credits.',
  'model:data:read': 'Read imports of data for the model.',
  'model:data:write': 'Import data for the model.',
  'model:training:read': 'Read versions, reports and schedules of own models.',
  'model:training:write': 'Upload samples and train versions.',
  'model:training:review': 'Approve and reject reports of training, and publish versions.',
  'model:bulk:read': 'Read bulk refreshes, their results and member states.',
  'model:bulk:write': 'Start, pause, resume and cancel bulk refreshes; they cost credits.',
} as const;

/** The description of each scope, in a sentence. */
export const scopeDescriptions: Readonly<Record<string, string>> = { ...v2, ...v1 };

type V2Scope = keyof typeof v2;
export const v2Scopes = Object.keys(v2) as V2Scope[];
export const v1Scopes = Object.keys(v1) as (keyof typeof v1)[];

export const isScope = (scope: string): boolean => Object.hasOwn(scopeDescriptions, scope);
export const isV1Scope = (scope: string): boolean => Object.hasOwn(v1, scope);

/** Whether a key loses the scope when its creator is no longer an owner or admin. */
export const needsAdmin = (scope: string): boolean => isV1Scope(scope) || scope === 'keys:manage';

const isRead = (scope: string): boolean => scope.endsWith(':read');

interface ScopePreset {
  /** Name for people. */
  readonly label: string;
  readonly scopes: readonly V2Scope[];
}

/** Scopes for systems that sell to members. */
const sellingScopes = [
  'members:read',
  'members:write',
  'points:write',
  'coupons:read',
  'coupons:write',
  'orders:read',
  'orders:write',
] as const;

/**
 * Names of sets of scopes. None contains a v1 scope, because such a key expires, and `predictions:read`
 * spends credits.
 */
export const presets: Readonly<Record<string, ScopePreset>> = {
  'preset:read_only': { label: 'Read only', scopes: v2Scopes.filter(isRead) },
  'preset:till': {
    label: 'Till',
    scopes: [...sellingScopes, 'stores:read'],
  },
  'preset:web_shop': {
    label: 'Web shop',
    scopes: [...sellingScopes, 'catalog:read', 'catalog:write', 'transactional:send', 'tracking:write'],
  },
  'preset:reports': {
    label: 'Reports',
    scopes: ['metrics:read', 'members:read', 'orders:read', 'segments:read', 'campaigns:read'],
  },
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
