import type { Page } from 'playwright-core';
import {
  between,
  email,
  type FormField,
  type FormRow,
  fromMenu,
  inRegion,
  inRow,
  longerThan,
  over,
  press,
  reason,
  switchOf,
  tick,
  typedName,
} from './form-row.fixture.ts';

const membersForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/members/members.screen.tsx AddMemberDialog', path: '/members' },
    ...{ name: 'Add a member', mutation: 'CreateMember', hasSessionEnd: true },
    fields: [
      email('nia@example.com'),
      { label: 'Name', value: 'Nia New', wrong: longerThan(200) },
      { label: 'External ID', value: 'N-1', wrong: longerThan(200) },
    ],
  },
  {
    ...{ form: 'screens/members/members-bulk.tsx TagDialog', of: 'adding', path: '/members' },
    ...{ name: 'Add a tag', submit: 'For 1 member', mutation: 'TagMembers' },
    open: tick('Mia Moss', 'Add a tag'),
    fields: [{ label: 'Tag', value: 'regular', isRequired: true, wrong: longerThan(64) }],
  },
  {
    ...{ form: 'screens/members/members-bulk.tsx TagDialog', of: 'removing', path: '/members' },
    ...{ name: 'Remove a tag', submit: 'For 1 member', mutation: 'TagMembers' },
    open: tick('Mia Moss', 'Remove a tag'),
    fields: [{ label: 'Tag', value: 'regular', isRequired: true }],
  },
  {
    ...{ form: 'screens/members/bulk-award.dialog.tsx BulkAwardDialog', path: '/members' },
    ...{ name: 'Award points to all', submit: 'Continue', confirm: /^Award [\d,]+ points?$/ },
    mutation: 'StartBulkAward',
    fields: [
      { label: 'Points', value: '2', isRequired: true, wrong: over(100_000) },
      { label: 'Description', value: 'Anniversary', isRequired: true, wrong: longerThan(500) },
    ],
  },
  {
    ...{ form: 'screens/exports/export.dialog.tsx Choose', path: '/members' },
    ...{ name: 'Export: Members', submit: 'Start the export', mutation: 'StartMemberExport' },
    open: (page) => press(page, 'Export'),
    fields: [{ label: 'Format', input: 'choice', value: 'JSON Lines' }],
    done: (page) => page.getByRole('dialog').getByRole('button', { name: /^Download members-/ }),
  },
];

const pointsForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/member/points.dialog.tsx AwardDialog', path: '/members/:mia' },
    ...{ name: 'Award points', mutation: 'AwardPoints' },
    fields: [
      { label: 'Points', value: '12', isRequired: true, wrong: over(100_000) },
      { label: 'Description', value: 'A birthday', wrong: longerThan(500) },
    ],
  },
  {
    ...{ form: 'screens/member/points.dialog.tsx AdjustDialog', path: '/members/:mia' },
    ...{ name: 'Adjust points', mutation: 'AdjustPoints' },
    open: fromMenu('Adjust points'),
    fields: [
      {
        ...{ label: 'Change, negative', value: '-3', isRequired: true },
        wrong: ['99999999999', 'whole number that is not too large'],
      },
      reason,
    ],
  },
  {
    ...{ form: 'screens/member/points.dialog.tsx ReverseDialog', path: '/members/:mia/points' },
    ...{ name: 'Reverse', mutation: 'ReversePoints' },
    open: inRow('A birthday', 'Reverse'),
    fields: [reason],
  },
  {
    ...{ form: 'screens/member/redeem-points.dialog.tsx ChoosePool', path: '/members/:mia' },
    ...{ name: 'Exchange points for a coupon', submit: 'Exchange', mutation: 'RedeemPointsForCoupon' },
    open: fromMenu('Exchange points for a coupon'),
    fields: [
      { label: 'Coupon pool', input: 'picker', value: 'Thanks', isRequired: true },
      { label: 'Points that are taken', value: '5', isRequired: true, wrong: over(100_000) },
    ],
    done: (page) => page.getByTestId('issued-code'),
  },
  {
    ...{ form: 'screens/member/override-tier.dialog.tsx OverrideTierDialog', path: '/members/:mia' },
    ...{ name: 'Set the tier by hand', submit: 'Save', mutation: 'OverrideTier' },
    open: fromMenu('Set the tier by hand'),
    fields: [
      { label: 'Tier', input: 'choice', value: 'Gold', isRequired: true },
      { label: 'Last day', value: '2099-12-31', isRequired: true, wrong: ['2020-01-01', 'in the future'] },
      reason,
    ],
  },
];

const memberForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/member/edit-member.dialog.tsx EditDialog', path: '/members/:mia' },
    ...{ name: 'Edit the member', submit: 'Save', mutation: 'UpdateMember', hasSessionEnd: true },
    open: fromMenu('Edit the member'),
    fields: [
      { label: 'Name', value: 'Mia Moss', wrong: longerThan(200) },
      { label: 'Phone', value: '+351912345678', wrong: ['abc', 'Enter a phone number'] },
      { label: 'External ID', value: 'M-1', wrong: longerThan(200) },
    ],
  },
  {
    ...{ form: 'screens/member/member-attributes.tsx AttributesDialog', path: '/members/:mia' },
    ...{ name: 'Attributes', submit: 'Save', mutation: 'SetMemberAttributes' },
    open: inRegion('Attributes', 'Edit'),
    fields: [
      { label: 'Drink', value: 'Tea', wrong: longerThan(2_000) },
      { label: 'Cups', value: '2' },
    ],
  },
  {
    ...{ form: 'screens/member/member-tags.tsx Tags', path: '/members/:mia' },
    ...{ name: 'Tags', submit: 'Add', mutation: 'TagMember', hasSessionEnd: true },
    open: async () => undefined,
    root: (page) => page.getByRole('region', { name: 'Tags', exact: true }),
    fields: [{ label: 'New tag', value: 'early', isRequired: true, wrong: longerThan(64) }],
    done: (page) => page.getByRole('button', { name: 'Remove the tag early' }),
  },
  {
    ...{ form: 'screens/member/record-visit.dialog.tsx RecordVisitDialog', name: 'Record a visit' },
    ...{ path: '/members/:mia?tab=visits', mutation: 'RecordVisit' },
    fields: [{ label: 'Store', input: 'picker', value: 'Harbour', isRequired: true }],
  },
  {
    ...{ form: 'screens/member/member-consents.tsx GrantDialog', path: '/members/:mia' },
    ...{ name: 'Record a consent', mutation: 'SetMemberConsent' },
    open: switchOf('Profiling'),
    fields: [{ label: 'How it was given', value: 'By telephone', isRequired: true, wrong: longerThan(100) }],
  },
  {
    ...{ form: 'screens/member/member-consents.tsx WithdrawDialog', path: '/members/:mia' },
    ...{ name: 'Withdraw the consent', mutation: 'SetMemberConsent' },
    open: switchOf('Profiling'),
  },
  {
    ...{ form: 'screens/member/export-member.dialog.tsx ExportDialog', path: '/members/:mia' },
    ...{ name: 'Export personal data', submit: 'Collect the data', mutation: 'RequestMemberExport' },
    open: fromMenu('Export personal data'),
    done: (page) => page.getByRole('dialog').getByRole('progressbar'),
  },
];

/**
 * Acts on a member that need a confirmation. They are ordered: each leaves the member in the state that the
 * next one needs.
 */
const confirmedActs: readonly FormRow[] = [
  ['EndTier', 'End the tier set by hand', 'ClearTierOverride'],
  ['Deactivate', 'Set to inactive', 'SetMemberStatus'],
  ['Activate', 'Set to active', 'SetMemberStatus'],
  ['SignOut', 'Sign the member out everywhere', 'RevokeMemberSessions'],
  ['Restrict', 'Restrict processing', 'RestrictProcessing'],
  ['EndRestriction', 'End the restriction', 'RestrictProcessing'],
  ['Unsubscribe', 'Unsubscribe from mail', 'UnsubscribeMember', 'mia@example.com'],
  ['Erase', 'Erase the member', 'RequestErasure'],
  ['Keep', 'Cancel the erasure', 'CancelErasure'],
].map(([component = '', name = '', mutation = '', typed]) => ({
  ...{ form: `screens/member/confirm-act.tsx ${component}`, path: '/members/:mia', name, mutation },
  open: fromMenu(name),
  fields: typed ? [typedName(typed)] : [],
}));

const programmeForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/tiers/tier.dialog.tsx TierDialog', of: 'adding', path: '/tiers' },
    ...{ name: 'Add a tier', submit: 'Save', mutation: 'CreateTier', hasSessionEnd: true },
    fields: tierFields('Silver', '1', '300'),
  },
  {
    ...{ form: 'screens/tiers/tier.dialog.tsx TierDialog', of: 'editing', path: '/tiers' },
    ...{ name: 'Edit', submit: 'Save', mutation: 'UpdateTier' },
    open: inRow('Gold', 'Edit'),
    fields: tierFields('Golden', '3', '600'),
  },
  {
    ...{ form: 'screens/tiers/tier.dialog.tsx DeleteTierDialog', path: '/tiers' },
    ...{ name: 'Delete', mutation: 'DeleteTier' },
    open: inRow('Silver', 'Delete'),
  },
  {
    ...{ form: 'screens/coupons/pool.dialog.tsx AddPoolDialog', path: '/coupons' },
    ...{ name: 'Add a coupon pool', mutation: 'CreateCouponPool' },
    fields: poolFields('Winter'),
  },
  {
    ...{ form: 'screens/coupons/pool.dialog.tsx EditPoolDialog', path: '/coupons/:pool' },
    ...{ name: 'Edit the coupon pool', submit: 'Save', mutation: 'UpdateCouponPool' },
    open: (page) => press(page, 'Edit'),
    fields: poolFields('Thanks again'),
  },
  {
    ...{ form: 'screens/coupons/import-codes.dialog.tsx ImportCodesDialog', path: '/coupons/:pool' },
    ...{ name: 'Import codes', mutation: 'ImportCoupons' },
    fields: [{ label: 'Codes, one in each line', value: 'SPRING-1', isRequired: true }],
    done: (page) => page.getByRole('dialog', { name: 'Result of the import' }),
  },
  {
    ...{ form: 'screens/coupons/pool-acts.tsx GenerateCodesDialog', path: '/coupons/:pool' },
    ...{ name: 'Generate codes', mutation: 'GenerateCoupons' },
    fields: [
      { label: 'Number of codes', value: '2', isRequired: true, wrong: over(100_000) },
      { label: 'Prefix of the codes', value: 'NEW', wrong: ['ELEVENCHARS', ''] },
    ],
  },
  {
    ...{ form: 'screens/coupons/void-coupon.dialog.tsx VoidCouponDialog', path: '/coupons?code=AUTUMN-1' },
    ...{ name: 'Void', mutation: 'VoidCoupon' },
    fields: [reason, typedName('AUTUMN-1')],
  },
  {
    ...{ form: 'screens/coupons/void-coupons.dialog.tsx VoidCouponsDialog', path: '/coupons/:pool' },
    ...{ name: 'Void the selected', mutation: 'VoidCoupon' },
    open: tick('AUTUMN-2', 'Void the selected'),
    fields: [reason, typedName('1 code')],
  },
  {
    ...{ form: 'screens/coupons/pool-acts.tsx ArchivePoolDialog', path: '/coupons/:pool' },
    ...{ name: 'Archive', mutation: 'SetCouponPoolStatus' },
    fields: [typedName('Thanks again')],
  },
  {
    ...{ form: 'screens/coupons/pool-acts.tsx ArchivePoolDialog', of: 'codes' },
    ...{ path: '/coupons/:pool', name: 'Void the codes', mutation: 'SetCouponPoolStatus' },
    fields: [typedName('Thanks again')],
  },
];

function tierFields(name: string, rank: string, points: string): readonly FormField[] {
  return [
    { label: 'Name', value: name, isRequired: true, wrong: longerThan(100) },
    { label: 'Rank', value: rank, isRequired: true, wrong: between(0, 10_000) },
    { label: 'From points', value: points, isRequired: true, wrong: ['99999999999', 'number'] },
    { label: 'Multiplier', value: '1.5', isRequired: true, wrong: ['101', 'at most 100'] },
  ];
}

function poolFields(name: string): readonly FormField[] {
  return [
    { label: 'Coupon pool', value: name, isRequired: true, wrong: longerThan(200) },
    { label: 'Discount', value: '10%', isRequired: true, wrong: longerThan(100) },
    { label: 'Last day', value: '2099-12-31', wrong: ['2020-01-01', 'in the future'] },
    { label: 'Low stock from', value: '1', wrong: ['99999999999', 'number'] },
  ];
}

const commerceForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/orders/refund.dialog.tsx RefundDialog', path: '/orders/:order' },
    ...{ name: 'Refund', mutation: 'RefundOrder' },
    fields: [
      { label: 'Amount', value: '2.50', wrong: ['99', 'more than is left'] },
      { label: 'Reason', value: 'one cup was broken', wrong: longerThan(500) },
    ],
  },
  {
    ...{ form: 'screens/receipts/receipt-review.tsx RejectDialog', path: '/receipts' },
    ...{ name: 'Reject', mutation: 'ReviewReceipt', isGoneWhenDone: true },
    open: (page) => page.getByRole('button', { name: /^Reject/ }).click(),
    fields: [{ label: 'Reason', value: 'Not from our shop', wrong: longerThan(500) }],
  },
  {
    ...{ form: 'screens/receipts/receipt-review.tsx ReceiptReview', path: '/receipts' },
    ...{ name: 'Approve', submit: /^Approve/, mutation: 'ReviewReceipt', isGoneWhenDone: true },
    hasSessionEnd: true,
    open: async (page) => {
      await page.getByText(/^By the rules: \d+ points?$/).waitFor();
      await press(page, 'Correct the items');
    },
    root: (page) => page.getByTestId('receipt-review'),
    fields: [
      { label: 'Shop', value: 'Corner', wrong: longerThan(120) },
      { label: 'Date of purchase', value: '2026-03-01', wrong: ['2099-01-01', 'not in the future'] },
      { label: 'Total', value: '12.50', wrong: ['12,5x', 'Type an amount such as 12.50.'] },
      { label: 'Item 2', value: 'Tea', isRequired: true, wrong: longerThan(120) },
      { label: 'Quantity of item 2', value: '2', isRequired: true, wrong: between(1, 1_000_000) },
      { label: 'Price of item 2', value: '2.5', isRequired: true, wrong: ['9'.repeat(14), 'such as 12.50'] },
      { label: /^Points, if not/, value: '3', wrong: over(100_000) },
    ],
    done: (page) => page.getByText('All receipts are reviewed.'),
  },
  {
    ...{ form: 'screens/receipts/submit-receipt.dialog.tsx SubmitReceiptDialog', path: '/receipts' },
    ...{ name: 'Submit a receipt', mutation: 'SubmitReceipt' },
    fields: [
      { label: 'Member', input: 'picker', value: 'Mia Moss', isRequired: true },
      { label: 'Picture', input: 'file', value: 'receipt.png', isRequired: true },
      { label: 'Currency', value: 'EUR', wrong: ['EU', 'three letters'] },
      { label: 'Note', value: 'sent by mail', wrong: longerThan(500) },
    ],
  },
  {
    ...{ form: 'screens/captures/add-capture.dialog.tsx AddCaptureDialog', path: '/captures' },
    ...{ name: 'Add a capture', mutation: 'CreateCapture' },
    fields: [email('left@example.com'), { label: 'Store', input: 'picker', value: 'Harbour' }],
  },
];

const modelForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/credits/deposit.dialog.tsx DepositDialog', path: '/credits' },
    ...{ name: 'Add credits', mutation: 'DepositCredits' },
    fields: [{ label: 'Amount in USD', value: '25', isRequired: true, wrong: between(1, 10_000) }],
  },
  {
    ...{ form: 'screens/credits/try-capability.dialog.tsx CallForm', path: '/credits' },
    ...{ name: 'Ask the model', mutation: 'CallCapability' },
    fields: [{ label: /member/i, input: 'picker', value: 'Mia Moss', isRequired: true }],
    done: (page) => page.getByRole('dialog', { name: 'Answer of the model' }),
  },
  // Without paid service the model answers nobody, so these come last.
  {
    ...{ form: 'screens/credits/paid-service.tsx StartDialog', path: '/credits' },
    ...{ name: 'Activate paid service', mutation: 'ActivatePaidService' },
  },
  {
    ...{ form: 'screens/credits/paid-service.tsx EndDialog', path: '/credits' },
    ...{ name: 'End paid service', mutation: 'DeactivatePaidService' },
  },
];

const teamForms: readonly FormRow[] = [
  {
    ...{ form: 'screens/keys/add-key.dialog.tsx AddKeyDialog', path: '/keys' },
    ...{ name: 'Add a key', mutation: 'CreateApiKey' },
    fields: [
      { label: 'Name', value: 'Till', isRequired: true, wrong: longerThan(100) },
      { label: 'Scopes', input: 'preset', value: 'Read only' },
    ],
    done: (page) => page.getByRole('dialog', { name: 'Your new key' }),
  },
  {
    ...{ form: 'screens/keys/keys.screen.tsx RevokeDialog', path: '/keys' },
    ...{ name: 'Revoke', mutation: 'RevokeApiKey' },
    open: inRow('Shop', 'Revoke'),
    fields: [typedName('Shop')],
  },
  {
    ...{ form: 'screens/workspace/team.screen.tsx InviteDialog', path: '/team' },
    ...{ name: 'Invite a person', mutation: 'InviteUser' },
    fields: [email('nora@example.com'), { label: 'Role', input: 'choice', value: 'Admin' }],
  },
  {
    ...{ form: 'screens/workspace/team.screen.tsx RevokeDialog', path: '/team' },
    ...{ name: 'Revoke', mutation: 'RevokeInvitation' },
    open: inRow('nora@example.com', 'Revoke'),
  },
  {
    ...{ form: 'screens/workspace/team.screen.tsx RoleDialog', path: '/team' },
    ...{ name: 'Change the role', mutation: 'SetTeamRole' },
    open: async (page) => void (await page.getByLabel('Role of Col League').selectOption('ADMIN')),
  },
  {
    ...{ form: 'screens/workspace/team.screen.tsx RemoveDialog', path: '/team' },
    ...{ name: 'Remove from the team', mutation: 'RemoveTeamMember' },
    open: inRow('Col League', 'Remove from the team'),
  },
  {
    ...{ form: 'screens/workspace/settings.screen.tsx WorkspaceDialog', path: '/settings' },
    ...{ name: 'Workspace', submit: 'Save', mutation: 'UpdateWorkspace' },
    open: (page) => press(page, 'Edit: Workspace'),
    fields: [
      { label: 'Name', value: 'North Bakery', isRequired: true, wrong: longerThan(200) },
      { label: 'Time zone', value: 'Europe/Lisbon', isRequired: true, wrong: ['Moon', 'a time zone'] },
      { label: 'Currency', value: 'EUR', isRequired: true, wrong: ['EU', 'three letters'] },
    ],
  },
  {
    ...{ form: 'screens/workspace/settings.screen.tsx LimitsDialog', path: '/settings' },
    ...{ name: 'Limits', submit: 'Save', mutation: 'UpdateLimits' },
    open: (page) => press(page, 'Edit: Limits'),
    fields: [
      { label: 'Points or codes', value: '90000', isRequired: true, wrong: between(1, 10_000_000) },
      { label: /^Requests/, value: '60000', isRequired: true, wrong: between(60, 600_000) },
      { label: 'Model requests', value: '60000', isRequired: true, wrong: between(60, 600_000) },
      { label: 'Points writes', value: '60000', isRequired: true, wrong: between(1, 600_000) },
      { label: 'Record writes', value: '60000', isRequired: true, wrong: between(1, 600_000) },
    ],
  },
  {
    ...{ form: 'screens/workspace/settings.screen.tsx ProgramDialog', path: '/settings' },
    ...{ name: 'Programme', submit: 'Save', mutation: 'UpdateProgram' },
    open: (page) => press(page, 'Edit: Programme'),
    fields: [
      { label: 'Points expire after', value: '400', wrong: between(1, 3_650) },
      { label: 'Points can be used after', value: '2', wrong: between(1, 365) },
      { label: 'Tier period', value: '365', wrong: between(1, 3_650) },
    ],
  },
  {
    ...{ form: 'screens/imports/imports.screen.tsx StopDialog', path: '/imports' },
    ...{ name: 'Throw away', mutation: 'CancelImport' },
    open: (page) => press(page, 'Throw away'),
  },
  {
    ...{ form: 'screens/workspace/account.screen.tsx NameDialog', path: '/account' },
    ...{ name: 'Profile', submit: 'Save', mutation: 'UpdateProfile' },
    open: (page) => press(page, 'Edit'),
    fields: [{ label: 'Name', value: 'Ada Owner', isRequired: true, wrong: longerThan(200) }],
  },
];

const entranceForms: readonly FormRow[] = [
  {
    // This is the last form for signed-in users, because it changes the password.
    ...{ form: 'screens/workspace/account.screen.tsx PasswordDialog', path: '/account' },
    ...{ name: 'Change password', submit: 'Save', mutation: 'ChangePassword', isGoneWhenDone: true },
    fields: [
      {
        ...{ label: 'Current password', value: ':password', isRequired: true },
        wrong: ['not my password', 'not your current password'],
      },
      {
        label: 'New password',
        value: 'a newer password of the owner',
        isRequired: true,
        wrong: ['short', 'too short'],
      },
    ],
  },
  {
    ...{ form: 'shell/sign-up.tsx SignUp', path: '/sign-up', isOutside: true },
    ...{ name: 'Create a workspace', mutation: 'SignUp', isGoneWhenDone: true },
    root: (page) => page.getByRole('main'),
    fields: [
      { label: 'Workspace', value: 'South Bakery', wrong: longerThan(200) },
      { label: 'Your name', value: 'Sue South', isRequired: true, wrong: longerThan(200) },
      email('sue@example.com'),
      {
        ...{ label: /^Password/, value: 'a password of a baker', isRequired: true },
        wrong: ['short', 'too short'],
      },
    ],
    done: (page) => page.getByRole('heading', { level: 1, name: 'Home' }),
  },
  {
    ...{ form: 'shell/forgot-password.tsx ForgotPassword', path: '/forgot-password' },
    ...{ name: 'Forgot your password?', submit: 'Send the link', mutation: 'ForgotPassword' },
    ...{ isOutside: true, root: (page: Page) => page.getByRole('main') },
    fields: [email('sue@example.com')],
    done: (page) => page.getByRole('status').filter({ hasText: 'sue@example.com' }),
  },
  {
    ...{ form: 'shell/sign-in-form.tsx SignInForm', path: '/', isOutside: true },
    ...{ name: 'Sign in', mutation: 'session' },
    root: (page) => page.getByRole('main'),
    fields: [
      { label: 'E-mail', value: 'sue@example.com', isRequired: true },
      { label: /^Password/, value: 'a password of a baker', isRequired: true },
    ],
    done: (page) => page.getByRole('heading', { level: 1, name: 'Home' }),
  },
];

/** Every form of the back office. They are ordered: each leaves the data that the next ones need. */
export const forms: readonly FormRow[] = [
  ...[...membersForms, ...pointsForms, ...memberForms, ...confirmedActs, ...programmeForms],
  ...[...commerceForms, ...modelForms, ...teamForms, ...entranceForms],
];

/** Components that send data and have no row in the table, with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  'design/form-dialog.tsx FormDialog': 'the part that the forms of the table are made of',
  'design/form-dialog.tsx ConfirmDialog': 'the part that questions of the table are made of',
  'design/toast-list.tsx Undoable': 'one button, which a toast shows',
  'shell/use-entrance-form.ts useEntranceForm': 'the part of the forms before signing in',
  'screens/coupons/find-code.tsx FindCode': 'it looks something up and changes nothing',
  'screens/coupons/pool-acts.tsx PoolActs': 'two buttons without an input',
  'screens/workspace/modules.screen.tsx ModulesScreen': 'switches without an input',
  'screens/tiers/tier-members.tsx TierMembers': 'one button without an input',
  'screens/receipts/receipts.screen.tsx ReceiptsScreen': 'it holds the act of ReceiptReview',
  'screens/member/confirm-act.tsx AllowMail': 'as the other questions of its file; needs returned mail',
  'screens/exports/exports.screen.tsx ExportsScreen': 'a question as those above; needs a running export',
  'screens/members/bulk-award.tsx Progress': 'a question as those above; needs a running award',
  'screens/imports/choose-file.tsx useUpload': 'a step with a file: imports.browser.test.ts',
  'screens/imports/map-columns.tsx Mapping': 'a step of choices: imports.browser.test.ts',
  'screens/imports/preview-rows.tsx PreviewRows': 'a step with one button: imports.browser.test.ts',
  'screens/imports/result.tsx RowsLeft': 'one button: imports.browser.test.ts',
};
