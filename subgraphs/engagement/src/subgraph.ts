import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as activity from './activity/activity.resolvers.ts';
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
import * as events from './events/events.resolvers.ts';
import * as journeyAnalytics from './journeys/analytics/journey-analytics.resolvers.ts';
import * as journeys from './journeys/journeys/journeys.resolvers.ts';
import * as journeyLifecycle from './journeys/lifecycle/lifecycle.resolvers.ts';
import * as journeyRuns from './journeys/run-lists/journey-runs.resolvers.ts';
import * as journeySimulation from './journeys/simulation/simulation.resolvers.ts';
import * as messageSettings from './limits/message-settings.resolvers.ts';
import * as links from './links/links.resolvers.ts';
import * as location from './location/location.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as messages from './messages/messages.resolvers.ts';
import * as notices from './notices/notices.resolvers.ts';
import * as preferences from './preferences/preferences.resolvers.ts';
import * as providers from './providers/providers.resolvers.ts';
import * as push from './push/push.resolvers.ts';
import * as profiles from './segments/profile-refresh/profile-refresh.resolvers.ts';
import * as segmentExports from './segments/segment-exports/segment-exports.resolvers.ts';
import * as segmentFields from './segments/segment-fields/segment-fields.resolvers.ts';
import * as segmentMembers from './segments/segment-members/segment-members.resolvers.ts';
import * as segmentPreviews from './segments/segment-previews/segment-previews.resolvers.ts';
import * as segmentUses from './segments/segment-uses/segment-uses.resolvers.ts';
import * as segments from './segments/segments/segments.resolvers.ts';
import * as suppressions from './suppressions/suppressions.resolvers.ts';
import * as templates from './templates/templates.resolvers.ts';
import * as tracking from './tracking/tracking.resolvers.ts';
import * as webhooks from './webhooks/webhooks.resolvers.ts';

/** What reaches members, and what must not. */
export const engagement = defineSubgraph('engagement', import.meta.dirname, [
  suppressions,
  activity,
  campaignResults,
  push,
  memberData,
  location,
  providers,
  notices,
  events,
  webhooks,
  templates,
  messageSettings,
  messages,
  links,
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
  tracking,
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
