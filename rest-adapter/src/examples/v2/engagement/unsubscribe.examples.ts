import type { Example } from '../../example.ts';

export const unsubscribeExamples: Readonly<Record<string, Example>> = {
  Unsubscribe: {
    body: { email: 'ada@example.com' },
    reply: { data: { email: 'ada@example.com', unsubscribed: true } },
  },
  UnsubscribeStatus: { reply: { data: { email: 'ada@example.com', unsubscribed: false } } },
};
