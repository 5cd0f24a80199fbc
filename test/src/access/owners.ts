import { campaignOwners } from './campaign-owners.ts';
import type { Owner } from './owner.ts';

const ofMember = 'it is a part of what is known of a member';
const ownWallet = 'credits are read as the wallet is';
const asItsMutation = 'it is what the mutation with this scope answers, and nothing else returns it';

/** Types that hold no data of a workspace. */
export const plain: Readonly<Record<string, string>> = {
  PageInfo: 'where a page ends',
  Money: 'an amount and a currency, data of the type that has it',
  MetricsPeriod: 'two days that the caller chose',
  MemberSignIn: 'the same for every address, whether a member has it or not',
  Session: 'the credential that its caller has just been given',
  TestPush: 'the number of browsers to which its caller has just sent something',
  WebPushChange: 'says that a browser was registered or removed',
  TrackingResult: 'what became of the events that its caller has just sent',
  RejectedEvent: 'a part of it',
  EnrollmentReceipt: 'says that a form was received, and nothing of who is a member',
};

/** Edges whose target is the caller's own, whoever that is. */
export const own: Readonly<Record<string, string>> = {
  'Viewer.user': 'null unless a user calls, who is it',
  'Viewer.apiKey': 'null unless a key calls, which is it',
  'Mutation.register': 'the account that its caller has just made',
  'Membership.workspace': 'a workspace of the person who reads it',
};

/** Single fields that a documented answer of another scope holds. */
export const printed: Readonly<
  Record<string, { readonly scopes: readonly string[]; readonly because: string }>
> = {
  'Member.tier': { scopes: ['ambassador:read'], because: 'GET /ambassador/candidates prints the tier' },
  'Member.orderSummary': { scopes: ['ambassador:read'], because: 'the same row prints the number of orders' },
  'OrderSummary.orders': { scopes: ['ambassador:read'], because: 'the same row prints the number of orders' },
  'Coupon.code': { scopes: ['points:write'], because: 'POST /members/{id}/redeem-coupon prints the code' },
};

const ofProvider = 'it is a part of what is known of a provider of mail';

export const owners: Readonly<Record<string, Owner>> = {
  ...campaignOwners,
  // Members and what is theirs.
  Member: {
    writes: [['members:write']],
    isMembersOwn: true,
    because: 'POST and PATCH /members answer with the member, personal data masked',
  },
  MemberConsent: { of: 'Member', writes: [['members:write']], isMembersOwn: true, because: ofMember },
  ConsentChange: { of: 'Member', isMembersOwn: true, because: ofMember },
  MemberTag: { of: 'Member', writes: [['members:write']], because: 'POST /members/{id}/tags prints them' },
  Tag: { writes: [['members:write']], because: 'POST /members/{id}/tags prints them' },
  PointsTransaction: {
    of: 'Member',
    writes: [['members:write'], ['points:write']],
    isMembersOwn: true,
    because: 'POST /members/{id}/points, with either scope, prints the entry',
  },
  PointsSummary: { of: 'Member', isMembersOwn: true, because: ofMember },
  ExpiringPoints: { of: 'Member', isMembersOwn: true, because: ofMember },
  TierProgress: { of: 'Member', isMembersOwn: true, because: ofMember },
  VisitSummary: { of: 'Member', isMembersOwn: true, because: ofMember },
  StoreVisit: {
    writes: [['members:write']],
    isMembersOwn: true,
    because: 'recordStoreVisit answers with it, checkIn with a member its own',
  },
  RecordedStoreVisit: {
    of: 'StoreVisit',
    writes: [['members:write']],
    isMembersOwn: true,
    because: 'recordStoreVisit answers with it, checkIn with a member its own',
  },
  GeofenceEventResult: { isMembersOwn: true, because: 'recordGeofenceEvent answers a member with it' },
  Preference: { of: 'Preferences', because: 'a part of it' },
  EnrollmentField: { of: 'EnrollmentPage', because: 'a part of it' },
  Enrollment: { of: 'EnrollmentForm', because: 'how a member joined by the form' },
  ActivityEntry: { of: 'Member', because: 'what happened to a member' },
  TrackingEvent: { reads: [['tracking:read']], because: 'trackingEvent shows what visitors do' },
  EventCount: { of: 'TrackingStatistics', because: 'a part of it' },
  DayCount: { of: 'TrackingStatistics', because: 'a part of it' },
  MemberBatch: { writes: [['members:write']], because: asItsMutation },
  MemberBatchResult: { writes: [['members:write']], because: asItsMutation },
  MessageTemplate: { writes: [['campaigns:write']], because: 'the mutations of templates answer with it' },
  MessageTemplateVersion: {
    of: 'MessageTemplate',
    writes: [['campaigns:write']],
    because: 'what it says, and what it said before',
  },
  MessageTest: { of: 'MessageTemplate', because: 'what became of a test of it' },
  EmailEngagement: { of: 'Member', because: 'GET /members/{id}/profile prints it' },
  EmailSuppression: { writes: [['members:write']], because: 'POST /members/unsubscribe prints it' },
  MessageAttempt: { of: 'Message', because: 'a part of it' },
  MessageEvent: { of: 'Message', because: 'a part of it' },
  MessageSource: { of: 'Message', because: 'a part of it' },
  MessageReason: { of: 'Message', because: 'what its codes mean' },
  RenderedMessage: { of: 'Message', because: 'a part of it' },
  TransactionalSend: { writes: [['transactional:send']], because: asItsMutation },
  MemberSuppression: {
    of: 'EmailSuppression',
    writes: [['members:write']],
    isMembersOwn: true,
    because: "what holds for a member's address",
  },
  OrderSummary: {
    of: 'Member',
    reads: [['orders:read']],
    because: 'GET /members/{id}/profile prints it with members:read; it is the sum of orders',
  },
  MemberPredictions: {
    of: 'Member',
    reads: [['predictions:read']],
    because: 'GET /members/{id}/profile prints them with members:read',
  },
  NextOrderEstimate: { of: 'MemberPredictions', because: 'one of them' },
  NextOrderBand: { of: 'MemberPredictions', because: 'one of them' },
  Tier: {
    reads: [['ambassador:read']],
    isMembersOwn: true,
    because: 'candidates are printed with their tier',
  },
  TierPreviewLine: { of: 'TierPreview', because: 'a line of it' },
  // Captures and coupons.
  Capture: { writes: [['captures:write']], because: 'createCapture answers with it' },
  Coupon: {
    writes: [['coupons:write'], ['members:write']],
    isMembersOwn: true,
    because: 'POST /coupons and /coupons/{id}/redeem, with either scope, print it',
  },
  CouponPool: { writes: [['coupons:write']], because: 'the mutations of pools answer with it' },
  CouponImport: { of: 'CouponPool', writes: [['coupons:write']], because: 'what became of imported codes' },
  SkippedCode: { of: 'CouponPool', writes: [['coupons:write']], because: 'what became of imported codes' },
  CouponBatch: { writes: [['coupons:write']], because: 'how far generateCoupons has come' },
  CouponReservation: { writes: [['coupons:write'], ['members:write']], because: asItsMutation },
  PointsForCoupon: { writes: [['points:write'], ['members:write']], because: asItsMutation },
  // Ambassadors, custom objects, imports, exports.
  AmbassadorCode: { writes: [['ambassador:write']], because: 'POST /ambassador/codes prints it' },
  Referral: {
    of: 'AmbassadorCode',
    writes: [['ambassador:write']],
    because: 'attributeReferral answers with it',
  },
  ObjectRecord: { writes: [['objects:write']], because: 'POST and PATCH of records print them' },
  ObjectField: { of: 'ObjectType', because: 'a part of it' },
  ImportIssue: { of: 'ImportJob', because: 'what was wrong with its rows' },
  ImportColumn: { of: 'ImportPreview', because: 'a part of it' },
  ImportPreviewRow: { of: 'ImportPreview', because: 'a part of it' },
  // Commerce.
  Order: { writes: [['orders:write']], because: 'POST /orders prints it' },
  OrderItem: { of: 'Order', writes: [['orders:write']], because: 'a part of it' },
  Refund: { of: 'Order', writes: [['orders:write']], because: 'POST /orders/{id}/refund prints it' },
  OrderBatch: { writes: [['orders:write']], because: asItsMutation },
  OrderBatchResult: { writes: [['orders:write']], because: asItsMutation },
  RefundOrderPayload: { writes: [['orders:write']], because: asItsMutation },
  EarningLine: { of: 'EarningPreview', because: 'a line of it' },
  Product: { writes: [['catalog:write']], because: 'archiveProduct answers with it' },
  Category: { writes: [['catalog:write']], because: 'who writes products writes their categories' },
  Brand: { writes: [['catalog:write']], because: 'who writes products writes their brands' },
  UpsertProductsPayload: { writes: [['catalog:write']], because: asItsMutation },
  ProductResult: { writes: [['catalog:write']], because: asItsMutation },
  Store: {
    writes: [['stores:write']],
    isMembersOwn: true,
    because: 'the mutations of stores answer with it; a member sees where it is',
  },
  OpeningHours: {
    of: 'Store',
    writes: [['stores:write']],
    isMembersOwn: true,
    because: 'a part of it',
  },
  Receipt: {
    reads: [['members:read']],
    writes: [['receipts:write']],
    because: 'GET /members/{id}/receipts needs members:read; who submits or decides is answered with it',
  },
  ReceiptItem: { of: 'Receipt', writes: [['receipts:write']], because: 'a part of it' },
  // The model and its credits.
  CapabilityResult: { of: 'Capability', because: 'what one answers' },
  ResultEnvelope: { of: 'Capability', because: 'what its answer rests on' },
  CapabilityBatch: { of: 'Capability', because: 'answers of several' },
  CapabilityBatchItem: { of: 'Capability', because: 'the answer of one' },
  CapabilityError: { of: 'Capability', because: 'why one did not answer' },
  MemberState: { reads: [['predictions:read'], ['model:bulk:read']], because: 'saved predictions' },
  StateSignal: { of: 'MemberState', because: 'a part of it' },
  Evidence: {
    of: 'Capability',
    reads: [['model:bulk:read']],
    because: 'a part of answers and of saved states',
  },
  MemberStatePage: { of: 'MemberState', because: 'a page of them' },
  BulkJob: { writes: [['model:bulk:write']], because: 'POST /bulk-jobs prints it' },
  BulkResult: { of: 'BulkJob', writes: [['model:bulk:write']], because: 'what became of a member in it' },
  BulkResultError: { of: 'BulkJob', writes: [['model:bulk:write']], because: 'why a member failed' },
  BulkResultPage: { of: 'BulkJob', writes: [['model:bulk:write']], because: 'a page of results' },
  CreatedBulkJob: { writes: [['model:bulk:write']], because: asItsMutation },
  ModelVersion: {
    writes: [['model:training:write'], ['model:training:review']],
    because: 'POST /training and /alignment print what they changed',
  },
  UploadedVersion: { writes: [['model:training:write']], because: asItsMutation },
  TrainingSchedule: { writes: [['model:training:write']], because: 'POST /training prints what it changed' },
  TrainingCadence: { of: 'TrainingSchedule', writes: [['model:training:write']], because: 'a part of it' },
  ScheduleLogEntry: { of: 'TrainingSchedule', writes: [['model:training:write']], because: 'a part of it' },
  TrainingScheduleCheck: { writes: [['model:training:write']], because: 'what a run would do' },
  AppendedTrainingSamples: { writes: [['model:training:write']], because: asItsMutation },
  ReportEvaluation: { of: 'EvaluationReport', because: 'what it says' },
  EvaluationGate: { of: 'EvaluationReport', because: 'a part of it' },
  VersionDifference: { of: 'EvaluationReport', because: 'what its version would change' },
  MetricDifference: { of: 'EvaluationReport', because: 'a part of a difference' },
  WeightDifference: { of: 'EvaluationReport', because: 'a part of a difference' },
  DecileMoves: { of: 'EvaluationReport', because: 'counts of a difference' },
  ModelCard: { of: 'EvaluationReport', because: 'what the report says' },
  CalibrationGroup: { of: 'EvaluationReport', because: 'a part of a card' },
  AlignmentCheck: { of: 'ModelVersion', writes: [['model:training:write']], because: 'a part of it' },
  AlignmentProposalSchedule: { writes: [['model:training:write']], because: asItsMutation },
  AlignmentInference: { writes: [['predictions:read']], because: asItsMutation },
  AlignmentScore: { writes: [['predictions:read']], because: 'a part of an inference' },
  TrainingInference: { writes: [['predictions:read']], because: asItsMutation },
  ObjectiveScore: { writes: [['predictions:read']], because: 'a part of an inference' },
  InferenceApplicability: { writes: [['predictions:read']], because: 'a part of an inference' },
  Analysis: { reads: [['predictions:read'], ['decisions:read']], because: 'what capabilities answered' },
  DataImports: {
    writes: [['model:data:write', 'model:training:write']],
    because: 'PATCH /data, which needs both scopes, prints it',
  },
  DataImportCounts: {
    of: 'DataImports',
    writes: [['model:data:write', 'model:training:write']],
    because: 'a part of it',
  },
  MemberMapping: {
    of: 'DataImports',
    writes: [['model:data:write', 'model:training:write']],
    because: 'a part of it',
  },
  DataImportBatch: {
    of: 'DataImports',
    writes: [['model:data:write']],
    because: 'confirming an import answers with its batch',
  },
  DataImportPreview: { writes: [['model:data:write']], because: asItsMutation },
  DataImportIssue: { writes: [['model:data:write']], because: asItsMutation },
  ConfirmedDataImport: { writes: [['model:data:write']], because: asItsMutation },
  CreditRates: { of: 'Wallet', because: ownWallet },
  Deposit: { of: 'Wallet', because: ownWallet },
  ServiceQuote: { of: 'Wallet', because: ownWallet },
  // Webhooks.
  CatalogEvent: { of: 'EventCatalog', because: 'a part of it' },
  EventPayload: { of: 'EventCatalog', because: 'a part of it' },
  EventHeader: { of: 'EventCatalog', because: 'a part of it' },
  CreatedWebhookEndpoint: { of: 'WebhookEndpoint', because: 'the endpoint with its secret' },
  DeletedWebhookEndpoint: { of: 'WebhookEndpoint', because: asItsMutation },
  WebhookStatistics: { of: 'WebhookEndpoint', because: 'a part of it' },
  WebhookAttempt: { of: 'WebhookDelivery', because: 'a part of it' },
  WebhookMessage: { of: 'WebhookDelivery', because: 'what a delivery would have sent' },
  // The workspace.
  User: {
    reads: [
      ...['members:read', 'members:write', 'orders:read', 'orders:write', 'catalog:read', 'catalog:write'],
      ...[
        'imports:write',
        'coupons:read',
        'coupons:write',
        'test_data:purge',
        'model:bulk:read',
        'model:bulk:write',
      ],
    ].map((scope) => [scope]),
    because: 'who reads a job reads who asked for it; the resolvers keep the e-mail address for admins',
  },
  Membership: { of: 'User', because: 'where the person belongs to' },
  Workspace: { isMembersOwn: true, because: 'the one whose programme the member is in' },
  WorkspaceLimits: { of: 'Workspace', isMembersOwn: true, because: 'a part of it' },
  CreatedApiKey: { of: 'ApiKey', because: 'the key with its secret' },

  // Mail.
  EmailProviderConfig: { of: 'EmailProvider', because: ofProvider },
  EmailProviderHealth: { of: 'EmailProvider', because: ofProvider },
  EmailProviderFigures: { of: 'EmailProvider', because: ofProvider },
  EmailAttempt: { of: 'EmailProvider', because: 'a test mail through it' },
};
