import { campaignId, type Example, journeyId, segmentId } from '../example.ts';

const subject = 'New at {{ member.tier }} level, {{ member.first_name }}';
const html = '<p>You have {{ member.points_balance }} points.</p>';
const campaign = {
  id: campaignId,
  name: 'Spring',
  channel: 'email',
  status: 'draft',
  segmentIds: [segmentId],
  excludedSegmentIds: [],
  variants: [{ key: 'A', weight: 1, subject, html, title: null }],
  holdOutPercent: 0,
  journeyId: null,
  scheduled_at: null,
  started_at: null,
  finished_at: null,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
};

export const campaignsExamples: Readonly<Record<string, Example>> = {
  ListCampaigns: { reply: { campaigns: [campaign], total: 1 } },
  GetCampaign: { reply: { data: campaign } },
  CreateCampaign: {
    about: 'Adds a draft; nothing is sent. It is launched in the back office.',
    body: { name: 'Spring', channel: 'email', subject, html, segmentId },
    reply: { data: campaign },
  },
};

const figures = { entered: 1_204, sent: 0, skipped: 0 };

export const journeyAnalyticsExamples: Readonly<Record<string, Example>> = {
  JourneyAnalytics: {
    reply: {
      campaignId: journeyId,
      nodes: [
        { nodeId: 'hello', type: 'email', label: 'Hello', entered: 1_204, sent: 1_163, skipped: 41 },
        { nodeId: 'three-days', type: 'delay', label: 'Three days', ...figures },
        { nodeId: 'coupon', type: 'issueCoupon', label: 'A coupon', ...figures, entered: 988, skipped: 12 },
      ],
      computed_at: '2026-05-12T10:00:00.000Z',
    },
  },
};
