import { type Example, memberId, messageId, templateId } from '../example.ts';

export const transactionalExamples: Readonly<Record<string, Example>> = {
  SendTransactional: {
    body: {
      template_id: templateId,
      member_id: memberId,
      data: { order_number: '1001' },
      idempotency_key: 'order-1001-shipped',
    },
    reply: { data: { id: messageId, status: 'queued', reused: false } },
  },
};

const endpoint = 'https://push.example.net/v1/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV';
/** Public key of the receiver in RFC 8291, appendix A. */
const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

export const webPushExamples: Readonly<Record<string, Example>> = {
  SubscribeWebPush: {
    body: { endpoint, keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } },
    reply: { data: { ok: true } },
  },
  WebPush: { reply: { data: { enabled: true, publicKey: p256dh } } },
  UnsubscribeWebPush: { body: { endpoint }, reply: { data: { ok: true } } },
};

export const unsubscribeExamples: Readonly<Record<string, Example>> = {
  Unsubscribe: {
    body: { email: 'ada@example.com' },
    reply: { data: { email: 'ada@example.com', unsubscribed: true } },
  },
  UnsubscribeStatus: { reply: { data: { email: 'ada@example.com', unsubscribed: false } } },
};
