import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as activity from './activity/activity.resolvers.ts';
import * as agentRuns from './agent-runs/agent-runs.resolvers.ts';
import * as agents from './agents/agents.resolvers.ts';
import * as automations from './automations/automations.resolvers.ts';
import * as campaignResults from './campaign-results/campaign-results.resolvers.ts';
import * as campaigns from './campaigns/campaigns.resolvers.ts';
import * as events from './events/events.resolvers.ts';
import * as journeyRuns from './journey-runs/journey-runs.resolvers.ts';
import * as simulation from './journey-simulation/simulation.resolvers.ts';
import * as journeys from './journeys/journeys.resolvers.ts';
import * as messageSettings from './limits/message-settings.resolvers.ts';
import * as links from './links/links.resolvers.ts';
import * as location from './location/location.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as messages from './messages/messages.resolvers.ts';
import * as notices from './notices/notices.resolvers.ts';
import * as preferences from './preferences/preferences.resolvers.ts';
import * as profiles from './profiles/profiles.resolvers.ts';
import * as providers from './providers/providers.resolvers.ts';
import * as push from './push/push.resolvers.ts';
import * as segmentUses from './segment-uses/segment-uses.resolvers.ts';
import * as segments from './segments/segments.resolvers.ts';
import * as suppressions from './suppressions/suppressions.resolvers.ts';
import * as templates from './templates/templates.resolvers.ts';
import * as tracking from './tracking/tracking.resolvers.ts';
import * as webhooks from './webhooks/webhooks.resolvers.ts';

export const engagement = defineSubgraph('engagement', import.meta.dirname, [
  activity,
  agentRuns,
  agents,
  automations,
  campaignResults,
  campaigns,
  events,
  journeyRuns,
  simulation,
  journeys,
  messageSettings,
  links,
  location,
  memberData,
  messages,
  notices,
  preferences,
  profiles,
  providers,
  push,
  segmentUses,
  segments,
  suppressions,
  templates,
  tracking,
  webhooks,
]);
