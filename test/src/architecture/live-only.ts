/**
 * Mutations that change what live mode and test mode share, by what they change. A test credential may not
 * call them.
 */
export const liveOnlyMutations: Readonly<Record<string, readonly string[]>> = {
  stores: ['createStore', 'updateStore', 'setStoreStatus'],
  tiers: ['createTier', 'updateTier', 'deleteTier'],
  'the programme': ['updateProgram'],
  'earning rules': ['createEarningRule', 'updateEarningRule', 'deleteEarningRule'],
  'coupon pools': ['createCouponPool', 'updateCouponPool', 'setCouponPoolStatus', 'setLowStockThreshold'],
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
  'message templates': [
    'createMessageTemplate',
    'updateMessageTemplate',
    'restoreMessageTemplateVersion',
    'archiveMessageTemplate',
    'testMessageTemplate',
  ],
  receipts: ['setReceiptSettings'],
  messages: ['updateMessageSettings'],
  'the wallet': [
    'depositCredits',
    'acceptServiceQuote',
    'declineServiceQuote',
    'activatePaidService',
    'deactivatePaidService',
  ],
  'mail providers': [
    'addEmailProvider',
    'updateEmailProvider',
    'removeEmailProvider',
    'reorderEmailProviders',
    'testEmailProvider',
  ],
  'the team': ['inviteUser', 'revokeInvitation', 'setTeamRole', 'removeTeamMember'],
  'the workspace': ['setModule', 'updateWorkspace', 'updateLimits'],
};
