import type { Example } from '../../example.ts';
import { campaignId, segmentId } from '../../ids.ts';

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
