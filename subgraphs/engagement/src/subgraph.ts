import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as agents from './agents/definitions/agents.resolvers.ts';
import * as agentMirroring from './agents/mirroring/mirroring.resolvers.ts';
import * as agentRuns from './agents/runs/agent-runs.resolvers.ts';
import * as agentSteering from './agents/steering/steering.resolvers.ts';
import * as automations from './automations/automations/automations.resolvers.ts';
import * as automationTestRuns from './automations/test-runs/test-runs.resolvers.ts';
import * as audiences from './campaigns/audiences/audiences.resolvers.ts';
import * as campaigns from './campaigns/campaigns/campaigns.resolvers.ts';
import * as launching from './campaigns/launching/launching.resolvers.ts';
import * as campaignProgress from './campaigns/progress/progress.resolvers.ts';
import * as campaignResults from './campaigns/results/campaign-results.resolvers.ts';
import * as eventCatalog from './events/catalog/catalog.resolvers.ts';
import * as journeyAnalytics from './journeys/analytics/journey-analytics.resolvers.ts';
import * as journeys from './journeys/journeys/journeys.resolvers.ts';
import * as journeyLifecycle from './journeys/lifecycle/lifecycle.resolvers.ts';
import * as journeyRuns from './journeys/run-lists/journey-runs.resolvers.ts';
import * as journeySimulation from './journeys/simulation/simulation.resolvers.ts';
import * as location from './location/location.resolvers.ts';
import * as activity from './member-data/activity/activity.resolvers.ts';
import * as emailEngagement from './member-data/email-engagement/email-engagement.resolvers.ts';
import * as memberData from './member-data/exported-data/member-data.resolvers.ts';
import * as emergencyStop from './messages/emergency-stop/emergency-stop.resolvers.ts';
import * as messageReasons from './messages/guards/message-reasons.resolvers.ts';
import * as messageSettings from './messages/limits/message-settings.resolvers.ts';
import * as linkVisits from './messages/link-visits/link-visits.resolvers.ts';
import * as messages from './messages/messages/messages.resolvers.ts';
import * as preferences from './messages/preferences/preferences.resolvers.ts';
import * as previews from './messages/previews/previews.resolvers.ts';
import * as templates from './messages/templates/templates.resolvers.ts';
import * as transactional from './messages/transactional/transactional.resolvers.ts';
import * as emailProviders from './providers/email-providers/email-providers.resolvers.ts';
import * as mailbox from './providers/mailbox/mailbox.resolvers.ts';
import * as notices from './providers/notices/notices.resolvers.ts';
import * as pushSending from './push/push-sending/push-sending.resolvers.ts';
import * as pushSubscriptions from './push/push-subscriptions/push-subscriptions.resolvers.ts';
import * as profiles from './segments/profile-refresh/profile-refresh.resolvers.ts';
import * as segmentExports from './segments/segment-exports/segment-exports.resolvers.ts';
import * as segmentFields from './segments/segment-fields/segment-fields.resolvers.ts';
import * as segmentMembers from './segments/segment-members/segment-members.resolvers.ts';
import * as segmentPreviews from './segments/segment-previews/segment-previews.resolvers.ts';
import * as segmentUses from './segments/segment-uses/segment-uses.resolvers.ts';
import * as segments from './segments/segments/segments.resolvers.ts';
import * as suppressions from './suppressions/suppressions.resolvers.ts';
import * as trackedEvents from './tracking/tracked-events/tracked-events.resolvers.ts';
import * as trackedFacts from './tracking/tracked-facts/tracked-facts.resolvers.ts';
import * as trackingFeed from './tracking/tracking-feed/tracking-feed.resolvers.ts';
import * as trackingStatistics from './tracking/tracking-statistics/tracking-statistics.resolvers.ts';
import * as webhookDeliveries from './webhooks/deliveries/deliveries.resolvers.ts';
import * as webhookEndpoints from './webhooks/endpoints/endpoints.resolvers.ts';
import * as webhookMessages from './webhooks/messages/webhook-messages.resolvers.ts';

/** What reaches members, and what must not. */
export const engagement = defineSubgraph('engagement', import.meta.dirname, [
  suppressions,
  activity,
  campaignResults,
  pushSubscriptions,
  pushSending,
  memberData,
  emailEngagement,
  location,
  emailProviders,
  mailbox,
  notices,
  eventCatalog,
  webhookDeliveries,
  webhookEndpoints,
  webhookMessages,
  templates,
  previews,
  messageSettings,
  emergencyStop,
  messageReasons,
  messages,
  transactional,
  linkVisits,
  preferences,
  segments,
  segmentUses,
  segmentFields,
  segmentMembers,
  segmentPreviews,
  segmentExports,
  automations,
  automationTestRuns,
  campaigns,
  audiences,
  launching,
  campaignProgress,
  trackedEvents,
  trackedFacts,
  trackingFeed,
  trackingStatistics,
  journeys,
  journeyLifecycle,
  journeyRuns,
  journeyAnalytics,
  journeySimulation,
  profiles,
  agents,
  agentRuns,
  agentSteering,
  agentMirroring,
]);
