import { type Example, memberId, webhookId } from '../example.ts';

const url = 'https://pos.example.com/hooks/loyalty';
const eventTypes = ['member.created', 'loyalty.tier_upgraded'];
const endpoint = { id: webhookId, url, description: 'Till system', eventTypes, status: 'active' };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789A=';

export const webhooksExamples: Readonly<Record<string, Example>> = {
  ListWebhooks: {
    reply: {
      data: [
        {
          ...endpoint,
          created_at: '2026-03-02T09:30:00.000Z',
          last_success_at: '2026-03-02T10:12:31.000Z',
          last_failure_at: null,
        },
      ],
      total: 1,
    },
  },
  CreateWebhook: {
    body: { url, description: 'Till system', eventTypes },
    reply: { data: { id: webhookId, url, eventTypes, status: 'active', secret } },
  },
  UpdateWebhook: {
    body: { eventTypes: ['member.created'], status: 'paused' },
    reply: { data: { ...endpoint, eventTypes: ['member.created'], status: 'paused' } },
  },
  RotateWebhookSecret: {
    body: { action: 'rotate_secret' },
    reply: {
      data: { ...endpoint, secret, previous_secret_expires_at: '2026-03-03T10:30:00.000Z' },
    },
  },
  DeleteWebhook: { reply: { data: { id: webhookId, deleted: true } } },
  EventsCatalog: {
    reply: {
      data: {
        events: [
          {
            event: 'member.created',
            label: 'Member created',
            description: 'A member was enrolled.',
            stage: 'acquisition',
            examplePayload: {
              id: '0197a3c9-1b22-7c31-8a55-2f6d1f0c8e77',
              type: 'member.created',
              created_at: '2026-03-02T09:30:00.000Z',
              sequence: 42,
              data: { resource_id: memberId, member_ref: memberId },
            },
          },
        ],
        payload: {
          schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { id: { type: 'string', format: 'uuid' } },
          },
          headers: [{ name: 'webhook-id', description: 'Id of the event, the same in every attempt.' }],
        },
      },
    },
  },
};
