import { createECDH } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import webPush from 'web-push';
import { checkNotification } from './notification.ts';
import { decrypted, ece, newBrowser, vapidClaims } from './push-service.fixture.ts';
import { pushRequest, subjectOf } from './send-batch.service.ts';

/** RFC 8291, appendix A. */
const example = {
  plaintext: 'When I grow up, I want to be a watermelon',
  senderPrivateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  receiverPrivateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  receiverPublicKey:
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
    'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

function ecdhOf(privateKey: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'base64url');
  return ecdh;
}

test('the example of RFC 8291 comes out byte for byte, and is read again', () => {
  const message = ece.encrypt(Buffer.from(example.plaintext), {
    version: 'aes128gcm',
    privateKey: ecdhOf(example.senderPrivateKey),
    dh: example.receiverPublicKey,
    authSecret: example.auth,
    salt: example.salt,
  });
  expect(message.toString('base64url')).toBe(example.message);
  const read = decrypted(message, ecdhOf(example.receiverPrivateKey), example.auth);
  expect(read.toString()).toBe(example.plaintext);
});

const sender = { ...webPush.generateVAPIDKeys(), subject: 'mailto:ops@example.com', ttlSeconds: 60 };
const endpoint = 'https://push.example.net/v1/abc';

describe('a request', () => {
  test('is encrypted for the browser and signed by the workspace', () => {
    const browser = newBrowser();
    const notification = checkNotification({ title: 'Olá ☕', body: 'Um café', topic: 'coffee' });
    const { url, headers, body } = pushRequest({ endpoint, keys: browser.keys }, notification, sender);
    expect(url).toBe(endpoint);
    expect(headers).toMatchObject({
      TTL: '60',
      Topic: 'coffee',
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
    });
    expect(headers).not.toHaveProperty('Content-Length');
    expect(browser.read(body)).toEqual({ title: 'Olá ☕', body: 'Um café', tag: 'coffee' });
    const claims = vapidClaims(headers['Authorization']!, sender.publicKey);
    expect(claims).toMatchObject({ aud: 'https://push.example.net', sub: 'mailto:ops@example.com' });
    expect(claims['exp']).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400);
  });

  test('fits what push services take, whatever the notification says', () => {
    const { keys } = newBrowser();
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 1_000 });
    fc.assert(
      fc.property(text, text, (title, body) => {
        let notification: ReturnType<typeof checkNotification>;
        try {
          notification = checkNotification({ title, body });
        } catch (error) {
          expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
          return;
        }
        expect(pushRequest({ endpoint, keys }, notification, sender).body.length).toBeLessThanOrEqual(4_096);
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  [{ title: ' ' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ title: 'x', body: 'é'.repeat(1_001) }, 'body'],
  [{ title: 'x', url: 'javascript:alert(1)' }, 'url'],
  [{ title: 'x', icon: 'nothing' }, 'icon'],
  [{ title: 'x', topic: 'two words' }, 'topic'],
  [{ title: 'x', topic: 'x'.repeat(33) }, 'topic'],
  [{ title: 'x', ttlSeconds: -1 }, 'ttlSeconds'],
  [{ title: 'x', ttlSeconds: 28 * 86_400 + 1 }, 'ttlSeconds'],
])('the notification %j is refused by a sentence that names %s', (notification, field) => {
  expect(() => checkNotification(notification)).toThrow(new RegExp(`^${field} must`));
});

test('push services are given an address of the operator', () => {
  expect(subjectOf({ PUBLIC_URL: 'https://api.example.com', MAIL_FROM: 'x' })).toBe(
    'https://api.example.com',
  );
  expect(subjectOf({ PUBLIC_URL: 'http://localhost', MAIL_FROM: 'Shop <ops@example.com>' })).toBe(
    'mailto:ops@example.com',
  );
  expect(subjectOf({ MAIL_FROM: 'ops@example.com' })).toBe('mailto:ops@example.com');
});
