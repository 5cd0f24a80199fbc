import type { Example } from '../../example.ts';

const endpoint = 'https://push.example.net/v1/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV';
/** The receiver of RFC 8291, appendix A. */
const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

export const webPushExamples: Readonly<Record<string, Example>> = {
  SubscribeWebPush: {
    body: { endpoint, keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } },
    reply: { data: { ok: true } },
  },
  WebPush: { reply: { data: { enabled: true, publicKey: p256dh } } },
  UnsubscribeWebPush: { body: { endpoint }, reply: { data: { ok: true } } },
};
