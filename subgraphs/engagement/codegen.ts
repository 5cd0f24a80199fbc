import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

const statistics = '../src/tracking/tracking-statistics/tracking-statistics.service.ts';

const conditionFields = '../src/segments/conditions/condition-fields.ts';
const segmentPreviews = '../src/segments/segment-previews/segment-previews.service.ts';

export default subgraphCodegen(import.meta.dirname, {
  AgentDefinition: '../src/agents/definitions/agent-definition.ts#AgentDefinition as AgentDefinitionRow',
  AgentRun: '../src/agents/runs/agent-run.ts#AgentRun as AgentRunRow',
  AgentRunEvent: '../src/agents/runs/agent-run.ts#AgentRunEvent as AgentRunEventRow',
  AgentVersion: '../src/agents/definitions/agent-definition.ts#AgentVersion as AgentVersionRow',
  ActivityEntry: '../src/member-data/activity/activity-entry.ts#ActivityEntry as ActivityEntryRow',
  AutomationTestRun:
    '../src/automations/test-runs/test-runs.service.ts#AutomationTestRun as AutomationTestRunRow',
  Automation: '../src/automations/automations/automations.store.ts#Automation as AutomationRow',
  AudienceEstimate: '../src/campaigns/audiences/audiences.service.ts#AudienceEstimate as AudienceEstimateRow',
  Campaign: '../src/campaigns/campaigns/campaigns.service.ts#Campaign as CampaignRow',
  CampaignFigures: '../src/campaigns/progress/progress.service.ts#CampaignFigures as CampaignFiguresRow',
  CampaignVariant: '../src/campaigns/campaigns/campaigns.service.ts#CampaignVariant as CampaignVariantRow',
  CatalogEvent: '../src/events/catalog/catalog-events.ts#CatalogEvent as CatalogEventRow',
  CampaignResults:
    '../src/campaigns/results/campaign-results.service.ts#CampaignResults as CampaignResultsRow',
  EmailEngagement:
    '../src/member-data/email-engagement/email-engagement.store.ts#EmailEngagement as EmailEngagementRow',
  EmailProvider: '../src/providers/email-providers/platform-provider.ts#EmailProvider as EmailProviderRow',
  EmailProviderHealth:
    '../src/providers/email-providers/platform-provider.ts#EmailProvider as EmailProviderRow',
  EmailSuppression: '../src/suppressions/suppressions.service.ts#EmailSuppression as EmailSuppressionRow',
  Geofence: '../src/location/location.service.ts#Geofence as GeofenceRow',
  Journey: '../src/journeys/journeys/journeys.store.ts#Journey as JourneyRow',
  JourneyRun: '../src/journeys/run-lists/journey-runs.store.ts#ShownJourneyRun',
  JourneyAnalytics:
    '../src/journeys/analytics/journey-analytics.service.ts#JourneyAnalytics as JourneyAnalyticsRow',
  JourneyNodeFigures: '../src/journeys/analytics/node-figures.ts#NodeFigures',
  JourneySimulation: '../src/journeys/simulation/simulation.service.ts#JourneySimulation as SimulationRow',
  SimulatedNode: '../src/journeys/simulation/simulation-figures.ts#SimulatedNode as SimulatedNodeRow',
  JourneyVersion: '../src/journeys/journeys/journey-versions.store.ts#JourneyVersion as JourneyVersionRow',
  MailboxMessage: '../src/providers/mailbox/mailbox.store.ts#MailboxMessage as MailboxMessageRow',
  Member: '../src/member-data/exported-data/referred-member.ts#ReferredMember',
  MemberSuppression: '../src/suppressions/suppressions.store.ts#SuppressionState',
  Message: '../src/messages/messages/message.ts#Message as MessageRow',
  MessageAttempt: '../src/messages/messages/message.ts#MessageAttempt as MessageAttemptRow',
  MessageEvent: '../src/messages/messages/message-events.store.ts#MessageEvent as MessageEventRow',
  MessageTemplate: '../src/messages/templates/templates.store.ts#MessageTemplate as MessageTemplateRow',
  MessageTemplateVersion:
    '../src/messages/templates/template-versions.store.ts#MessageTemplateVersion as TemplateVersionRow',
  Preference: '../src/messages/preferences/member-consents.ts#Preference as PreferenceRow',
  Preferences: '../src/messages/preferences/preferences.service.ts#Preferences as PreferencesRow',
  SegmentEstimate:
    '../src/campaigns/audiences/audience-estimate.store.ts#SegmentEstimate as SegmentEstimateRow',
  Segment: '../src/segments/segments/segments.store.ts#Segment as SegmentRow',
  SegmentExplanation: `${segmentPreviews}#SegmentExplanation as SegmentExplanationRow`,
  SegmentField: `${conditionFields}#ConditionField as ConditionFieldRow`,
  SegmentFields: '../src/segments/segment-fields/segment-fields.service.ts#SegmentFields as SegmentFieldsRow',
  SegmentMember: '../src/segments/segment-members/segment-members.store.ts#SegmentMember as SegmentMemberRow',
  SegmentPreview: `${segmentPreviews}#SegmentPreview as SegmentPreviewRow`,
  SegmentRecord: `${conditionFields}#ConditionObject as ConditionObjectRow`,
  SuppressedAddress:
    '../src/suppressions/suppressed-addresses.store.ts#SuppressedAddress as SuppressedAddressRow',
  TrackingResult:
    '../src/tracking/tracked-events/tracked-events.service.ts#TrackingResult as TrackingResultRow',
  TrackingStatistics: `${statistics}#TrackingStatistics as TrackingStatisticsRow`,
  TrackingEvent: '../src/tracking/tracking-feed/tracking-feed.store.ts#ShownEvent',
  WebhookDelivery: '../src/webhooks/deliveries/deliveries.service.ts#WebhookDelivery as WebhookDeliveryRow',
  WebhookEndpoint: '../src/webhooks/endpoints/endpoints.service.ts#WebhookEndpoint as WebhookEndpointRow',
  WebhookMessage: '../src/webhooks/messages/webhook-messages.service.ts#WebhookMessage as WebhookMessageRow',
});
