import { createPublicKey } from 'node:crypto';
import { checkEmail } from '@loyalty/platform/base/email';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText, type Given } from '@loyalty/platform/base/input';
import { inputRule, lengthAtMost, mustBeGiven, oneLine } from '@loyalty/platform/base/input-rules';
import { assertPublicUrl } from '@loyalty/platform/outbound/http-client';

export type ProviderKind = 'RESEND' | 'SENDGRID' | 'SES' | 'CUSTOM_REST';

const FIELDS = ['toField', 'fromField', 'subjectField', 'htmlField'] as const;

const OPTIONAL_FIELDS = ['textField', 'replyToField', 'headersField'] as const;

/** The fields of a provider that are not secret, except its sender. */
export type ConfigField =
  | 'endpoint'
  | 'region'
  | 'configurationSet'
  | 'authHeader'
  | 'authScheme'
  | (typeof FIELDS)[number]
  | (typeof OPTIONAL_FIELDS)[number];

export type ProviderConfig = { readonly [K in ConfigField]?: string } & {
  readonly fromAddress: string;
  readonly fromName: string | null;
};

const fieldsOf: Readonly<Record<ProviderKind, readonly ConfigField[]>> = {
  RESEND: ['endpoint'],
  SENDGRID: ['endpoint'],
  SES: ['region', 'configurationSet', 'endpoint'],
  CUSTOM_REST: ['endpoint', 'authHeader', 'authScheme', ...FIELDS, ...OPTIONAL_FIELDS],
};

const defaultsOf: Readonly<Record<ProviderKind, Partial<Record<ConfigField, string>>>> = {
  RESEND: { endpoint: 'https://api.resend.com' },
  SENDGRID: { endpoint: 'https://api.sendgrid.com' },
  SES: {},
  CUSTOM_REST: {
    authHeader: 'Authorization',
    authScheme: 'Bearer',
    toField: 'to',
    fromField: 'from',
    subjectField: 'subject',
    htmlField: 'html',
  },
};

const required: Readonly<Partial<Record<ProviderKind, ConfigField>>> = {
  SES: 'region',
  CUSTOM_REST: 'endpoint',
};

type ConfigInput = Given<Record<ConfigField, string>>;

/**
 * Validates given fields and merges them into the configuration of a provider.
 *
 * @param before - the current fields; empty for a new provider
 * @param allow - `host:port` of allowed private addresses
 * @throws AppError VALIDATION_FAILED (400) naming the field below `input.config`
 */
export function checkConfig(
  kind: ProviderKind,
  input: ConfigInput,
  before: Partial<Record<ConfigField, string>>,
  allow: readonly string[],
): Partial<Record<ConfigField, string>> {
  const config: Partial<Record<ConfigField, string>> = { ...defaultsOf[kind], ...before };
  return gathered((check) => {
    for (const [name, value] of Object.entries(input) as [ConfigField, string | null | undefined][]) {
      if (value === null || value === undefined) continue;
      check(() => {
        if (!fieldsOf[kind].includes(name)) throw invalid(`input.config.${name}`, `is not used by ${kind}`);
        const checked = checkField(kind, name, value.trim(), allow);
        if (checked === null) delete config[name];
        else config[name] = checked;
      });
    }
    const missing = required[kind];
    check(() => {
      if (missing && !config[missing]) throw invalid(`input.config.${missing}`, mustBeGiven);
    });
    check(() => refuseSameFields(config));
    return config;
  });
}

/** Validates a field. Blank text becomes null. */
function checkField(
  kind: ProviderKind,
  name: ConfigField,
  value: string,
  allow: readonly string[],
): string | null {
  const path = `input.config.${name}`;
  if (name === 'authScheme') return checkPattern(path, value, /^[\x21-\x7e]{0,50}$/, 'one word');
  const isOptional = (OPTIONAL_FIELDS as readonly string[]).includes(name) || name === 'configurationSet';
  if (value === '' && (isOptional || (kind === 'SES' && name === 'endpoint'))) return null;
  if (name === 'endpoint') return checkEndpoint(path, kind, value, allow);
  if (name === 'region')
    return checkPattern(path, value, /^[a-z]{2}(-[a-z]{2,20}){1,3}-\d{1,2}$/, 'a region such as eu-west-1');
  if (name === 'configurationSet')
    return checkPattern(path, value, /^[\w-]{1,64}$/, 'the name of a configuration set');
  if (name === 'authHeader') return checkHeader(path, value);
  return checkLine(path, value, 100);
}

function checkPattern(path: string, value: string, pattern: RegExp, rule: string): string {
  if (!pattern.test(value)) throw invalid(path, `must be ${rule}`);
  return value;
}

/** Headers of the connection, and headers that the request sets itself. */
const CONNECTION = /^(host|connection|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;

const CONTENT = /^(content-.*|accept|idempotency-key)$/i;

function checkHeader(path: string, value: string): string {
  if (CONNECTION.test(value) || CONTENT.test(value)) throw invalid(path, 'must be another header');
  return checkPattern(path, value, /^[\w!#$%&'*+.^`|~-]{1,100}$/, 'the name of a header');
}

function checkEndpoint(path: string, kind: ProviderKind, value: string, allow: readonly string[]): string {
  const url = publicUrl(path, value, allow);
  if (kind === 'SES' && !allow.includes(`${url.hostname}:${url.port}`))
    throw invalid(path, 'is not used by SES: its address follows from the region');
  if (kind === 'CUSTOM_REST') return url.href;
  if (url.search || url.hash) throw invalid(path, 'must have no query');
  return url.href.replace(/\/+$/, '');
}

function publicUrl(path: string, value: string, allow: readonly string[]): URL {
  if (value.length > 2_000) throw invalid(path, lengthAtMost(2000));
  try {
    return assertPublicUrl(value, allow);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid(path, inputRule('WEB_ADDRESS', 'must be a public address that begins with https://'));
  }
}

function refuseSameFields(config: Partial<Record<ConfigField, string>>): void {
  const taken = new Set<string>();
  for (const name of [...FIELDS, ...OPTIONAL_FIELDS]) {
    const value = config[name];
    if (value === undefined) continue;
    if (taken.has(value)) throw invalid(`input.config.${name}`, 'must differ from the other fields');
    taken.add(value);
  }
}

/** Validates and trims text of one line. */
export function checkLine(path: string, value: string, lengthMax: number): string {
  const text = checkText(path, value, lengthMax);
  if (/[\r\n\t]/.test(text)) throw invalid(path, oneLine);
  return text;
}

const nameOf = (name: string): string | null => (name === '' ? null : checkLine('input.fromName', name, 100));

/** Validates the sender of messages. @throws AppError VALIDATION_FAILED (400) */
export function checkSender(
  input: Given<{ fromAddress: string; fromName: string }>,
  before: Pick<ProviderConfig, 'fromAddress' | 'fromName'> | null,
): Pick<ProviderConfig, 'fromAddress' | 'fromName'> {
  const { fromAddress, fromName } = input;
  const name = fromName?.trim();
  return gathered((check) => ({
    fromAddress: fromAddress
      ? check(() => checkEmail('input.fromAddress', fromAddress))
      : (before?.fromAddress ?? ''),
    fromName: name === undefined ? (before?.fromName ?? null) : check(() => nameOf(name)),
  }));
}

/** The credentials of a provider. They are stored sealed and never shown. */
export type ProviderSecret =
  | { readonly apiKey: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string };

type SecretInput = Given<{ apiKey: string; accessKeyId: string; secretAccessKey: string }>;

/**
 * Validates the secret of a provider of this kind.
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
 * Validates the key that verifies notices of a provider. Blank text becomes null.
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
