import { createPublicKey } from 'node:crypto';
import { invalid } from '@loyalty/platform/errors';
import { gathered } from '@loyalty/platform/values/gathered';
import type { Given } from '@loyalty/platform/values/input';
import { mustBeGiven } from '@loyalty/platform/values/input-rules';
import type { ProviderKind } from './provider-config.ts';

/** What a provider is used with. It is stored sealed and shown to nobody. */
export type ProviderSecret =
  | { readonly apiKey: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string };

type SecretInput = Given<{ apiKey: string; accessKeyId: string; secretAccessKey: string }>;

/**
 * The secret of a provider of this kind.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field below `input.secret`, without its value
 */
export function checkSecret(kind: ProviderKind, input: SecretInput): ProviderSecret {
  if (kind !== 'SES') {
    refuseOthers(kind, input, ['accessKeyId', 'secretAccessKey']);
    return { apiKey: checkKey('apiKey', input.apiKey) };
  }
  refuseOthers(kind, input, ['apiKey']);
  return gathered((check) => ({
    accessKeyId: check(() => checkKey('accessKeyId', input.accessKeyId)),
    secretAccessKey: check(() => checkKey('secretAccessKey', input.secretAccessKey)),
  }));
}

function refuseOthers(kind: ProviderKind, input: SecretInput, names: readonly (keyof SecretInput)[]): void {
  const other = names.find((name) => input[name]);
  if (other) throw invalid(`input.secret.${other}`, `is not used by ${kind}`);
}

function checkKey(name: keyof SecretInput, value: string | null | undefined): string {
  const key = value?.trim();
  if (!key) throw invalid(`input.secret.${name}`, mustBeGiven);
  if (!/^[\x21-\x7e]{1,2000}$/.test(key))
    throw invalid(`input.secret.${name}`, 'must be printable characters without spaces');
  return key;
}

/**
 * What proves that a notice is the provider's; null removes it.
 *
 * @throws AppError VALIDATION_FAILED (400) naming input.noticeKey, without its value
 */
export function checkNoticeKey(kind: ProviderKind, value: string): string | null {
  const key = value.trim();
  if (key === '') return null;
  const { isValid, rule } = noticeKeys[kind];
  if (!isValid(key)) throw invalid('input.noticeKey', `must be ${rule}`);
  return key;
}

const signingSecret = {
  isValid: (key: string) => /^whsec_[A-Za-z0-9+/]{24,200}={0,2}$/.test(key),
  rule: 'a signing secret that begins with whsec_',
};

const noticeKeys: Readonly<Record<ProviderKind, { isValid: (key: string) => boolean; rule: string }>> = {
  RESEND: signingSecret,
  CUSTOM_REST: signingSecret,
  SENDGRID: { isValid: isEllipticKey, rule: 'the verification key of the signed event webhook' },
  SES: {
    isValid: (key) => /^arn:aws[a-z-]{0,10}:sns:[a-z0-9-]{5,30}:\d{12}:[\w-]{1,256}$/.test(key),
    rule: 'the ARN of a topic of SNS, such as arn:aws:sns:eu-west-1:123456789012:bounces',
  },
};

/** A public key of the curve P-256, as SendGrid shows it: DER in base64. */
export const noticePublicKey = (key: string) =>
  createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });

function isEllipticKey(key: string): boolean {
  try {
    return noticePublicKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
