import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as agentRuns from './agent-runs/agent-runs.resolvers.ts';
import * as agents from './agents/agents.resolvers.ts';
import * as automations from './automations/automations.resolvers.ts';
import * as campaignResults from './campaign-results/campaign-results.resolvers.ts';
import * as campaigns from './campaigns/campaigns.resolvers.ts';
import * as eventCatalog from './events/catalog/catalog.resolvers.ts';
import * as journeyRuns from './journey-runs/journey-runs.resolvers.ts';
import * as simulation from './journey-simulation/simulation.resolvers.ts';
import * as journeys from './journeys/journeys.resolvers.ts';
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
import * as profiles from './profiles/profiles.resolvers.ts';
import * as emailProviders from './providers/email-providers/email-providers.resolvers.ts';
import * as mailbox from './providers/mailbox/mailbox.resolvers.ts';
import * as notices from './providers/notices/notices.resolvers.ts';
import * as pushSending from './push/push-sending/push-sending.resolvers.ts';
import * as pushSubscriptions from './push/push-subscriptions/push-subscriptions.resolvers.ts';
import * as segmentUses from './segment-uses/segment-uses.resolvers.ts';
import * as segments from './segments/segments.resolvers.ts';
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
  automations,
  campaigns,
  campaignResults,
  trackedEvents,
  trackedFacts,
  trackingFeed,
  trackingStatistics,
  journeyRuns,
  journeys,
  simulation,
  profiles,
  agents,
  agentRuns,
]);
