import type { Owner } from './owner.ts';

const asItsMutation = 'it is what the mutation with this scope answers, and nothing else returns it';

/** Segments, campaigns, journeys, automations and agents. */
export const campaignOwners: Readonly<Record<string, Owner>> = {
  // Campaigns.
  Campaign: { writes: [['campaigns:write']], because: 'the mutations of campaigns answer with it' },
  CampaignVariant: { of: 'Campaign', writes: [['campaigns:write']], because: 'what a part of it says' },
  CampaignFigures: { of: 'Campaign', because: 'a part of it' },
  CampaignVariantFigures: { of: 'Campaign', because: 'a part of it' },
  CampaignSkip: { of: 'Campaign', because: 'a part of it' },
  SegmentEstimate: { of: 'AudienceEstimate', because: 'a part of it' },
  AudienceExclusion: { of: 'AudienceEstimate', because: 'a part of it' },
  NotificationPreview: { of: 'CampaignPreview', because: 'a part of it' },
  DeletedCampaign: { writes: [['campaigns:write']], because: asItsMutation },
  // Results of campaigns.
  CampaignResults: { of: 'Campaign', reads: [['metrics:read']], because: 'figures' },
  CampaignResult: { of: 'CampaignResults', because: 'a part of it' },
  CampaignRevenue: { of: 'CampaignResults', because: 'a part of it' },
  CampaignVariantResult: { of: 'CampaignResults', because: 'a part of it' },
  HoldOutResult: { of: 'CampaignResults', because: 'a part of it' },
  ConversionRate: { of: 'CampaignResults', because: 'a part of it' },
  RateDifference: { of: 'CampaignResults', because: 'a part of it' },
  RateInterval: { of: 'CampaignResults', because: 'a part of it' },
  ClickedLink: { of: 'CampaignResults', because: 'a part of it' },
  // Automations.
  Automation: { writes: [['automations:write']], because: 'the mutations of automations answer with it' },
  DeletedAutomation: { writes: [['automations:write']], because: asItsMutation },
  AutomationTestAction: { of: 'AutomationTestRun', because: 'a part of it' },
  // Segments.
  Segment: { writes: [['segments:write']], because: 'POST and PATCH /segments print it' },
  SegmentSize: { of: 'Segment', writes: [['segments:write']], because: 'a part of it' },
  SegmentUse: { of: 'Segment', writes: [['segments:write']], because: 'a part of it' },
  SegmentMember: { of: 'Segment', because: 'who is in it' },
  DeletedSegment: { writes: [['segments:write']], because: asItsMutation },
  SegmentField: { of: 'SegmentFields', because: 'a part of it' },
  SegmentOperator: { of: 'SegmentFields', because: 'a part of it' },
  SegmentFieldOption: { of: 'SegmentFields', because: 'a part of it' },
  SegmentEvent: { of: 'SegmentFields', because: 'a part of it' },
  SegmentRecord: { of: 'SegmentFields', because: 'a part of it' },
  ExplainedCondition: { of: 'SegmentExplanation', because: 'a part of it' },
  // Agents.
  AgentVersion: { of: 'AgentDefinition', because: 'a part of it' },
  AgentRunEvent: { of: 'AgentRun', because: 'a part of its log' },
  AgentApproval: { of: 'AgentRun', because: 'the call that it waits with' },
  // Journeys.
  Journey: { writes: [['campaigns:write']], because: 'the mutations of journeys answer with it' },
  JourneyVersion: { of: 'Journey', writes: [['campaigns:write']], because: 'a part of it' },
  DeletedJourney: { writes: [['campaigns:write']], because: asItsMutation },
  MovedJourneyMembers: { writes: [['campaigns:write']], because: asItsMutation },
  JourneyNodeFigures: { of: 'JourneyAnalytics', because: 'a part of it' },
  JourneySkip: { of: 'JourneyAnalytics', because: 'a part of it' },
  JourneyBranch: { of: 'JourneyAnalytics', because: 'a part of it' },
  SimulatedNode: { of: 'JourneySimulation', because: 'a part of it' },
  SimulatedEnd: { of: 'JourneySimulation', because: 'a part of it' },
  SimulatedDuration: { of: 'JourneySimulation', because: 'a part of it' },
  JourneyRun: { of: 'Journey', because: 'who is on the way through it' },
};
