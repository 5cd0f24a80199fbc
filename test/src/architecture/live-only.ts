/** Mutations of what live and test share, by what they change: a test credential may not call them. */
export const liveOnlyMutations: Readonly<Record<string, readonly string[]>> = {
  stores: ['createStore', 'updateStore', 'setStoreStatus'],
  tiers: ['createTier', 'updateTier', 'deleteTier'],
  'the programme': ['updateProgram'],
  'earning rules': ['createEarningRule', 'updateEarningRule', 'deleteEarningRule'],
  'coupon pools': ['createCouponPool', 'setCouponPoolStatus', 'setLowStockThreshold'],
  'custom fields': ['defineCustomField', 'updateCustomField', 'archiveCustomField'],
  'object types': [
    'defineObjectType',
    'addObjectField',
    'updateObjectField',
    'publishObjectType',
    'unpublishObjectType',
    'hideObjectType',
    'showObjectType',
    'archiveObjectType',
  ],
  receipts: ['setReceiptSettings'],
  'the wallet': [
    'depositCredits',
    'acceptServiceQuote',
    'declineServiceQuote',
    'activatePaidService',
    'deactivatePaidService',
  ],
  'the team': ['inviteUser', 'revokeInvitation', 'setTeamRole', 'removeTeamMember'],
  'the workspace': ['setModule', 'updateWorkspace', 'updateLimits'],
};
