import { type Example, memberId } from '../example.ts';

const envelope = {
  status: 'ok',
  evidence: [{ kind: 'last_order', value: '2026-11-02', observed_at: '2026-11-02T17:05:00.000Z' }],
  limitations: ['NOT_CALIBRATED'],
  model_version: 'standard-1',
  computed_at: '2026-11-21T09:30:00.000Z',
  credits_charged: 10,
};
const result = { envelope, data: { purchase: 0.62 } };

export const capabilitiesExamples: Readonly<Record<string, Example>> = {
  ListCapabilities: {
    reply: {
      capabilities: [
        {
          name: 'model_predict_purchase',
          description: 'Scores how likely the member is to order again.',
          scope: 'predictions:read',
          inputSchema: {
            type: 'object',
            properties: { member_id: { type: 'string', format: 'uuid' } },
            required: ['member_id'],
            additionalProperties: false,
          },
          paged: false,
          cost: 10,
        },
      ],
    },
  },
  CallCapability: {
    body: { name: 'model_predict_purchase', arguments: { member_id: memberId } },
    reply: { result },
  },
  CallCapabilities: {
    about:
      'Calls 1 to 20 capabilities, three at a time. Results have the order of the requests. A call that ' +
      'fails does not stop the others. The status is 207 when any failed: send only those again.',
    body: {
      requests: [
        { id: 'first', name: 'model_predict_purchase', arguments: { member_id: memberId } },
        { id: 'second', name: 'model_predict_purchase', arguments: { member_id: 'unknown' } },
      ],
    },
    reply: {
      total: 2,
      succeeded: 1,
      failed: 1,
      results: [
        { id: 'first', ok: true, status: 200, result },
        {
          id: 'second',
          ok: false,
          status: 400,
          error: { code: 'INVALID_ARGUMENTS', message: 'member_id must be a UUID.' },
        },
      ],
    },
  },
};
