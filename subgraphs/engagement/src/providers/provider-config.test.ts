import { expect, test } from '@jest/globals';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { listEmailProviders } from './email-providers.service.ts';

const { fresh } = useServices();
const ask = askOf(engagement);

const ADD = 'mutation ($input: AddEmailProviderInput!) { addEmailProvider(input: $input) { id } }';
const endpoint = 'https://mail.example.com/send';
const rest = {
  name: 'Own API',
  kind: 'CUSTOM_REST',
  fromAddress: 'shop@example.org',
  config: { endpoint },
  secret: { apiKey: 'key' },
};
const ses = {
  kind: 'SES',
  config: { region: 'eu-west-1' },
  secret: { accessKeyId: 'a', secretAccessKey: 'b' },
};

test.each<[string, object]>([
  ['input.name', { name: ' ' }],
  ['input.name', { name: 'a\nb' }],
  ['input.fromAddress', { fromAddress: 'shop' }],
  ['input.fromAddress', { fromAddress: '' }],
  ['input.fromName', { fromName: 'a\r\nBcc: eve@example.org' }],
  ['input.config.endpoint', { config: {} }],
  ['input.config.endpoint', { config: { endpoint: 'http://api.example.com/mail' } }],
  ['input.config.endpoint', { config: { endpoint: 'https://127.0.0.1/mail' } }],
  ['input.config.endpoint', { config: { endpoint: 'https://169.254.169.254/' } }],
  ['input.config.endpoint', { config: { endpoint: 'https://postgres:5432/' } }],
  ['input.config.authHeader', { config: { endpoint, authHeader: 'Host' } }],
  ['input.config.authHeader', { config: { endpoint, authHeader: 'Content-Type' } }],
  ['input.config.authHeader', { config: { endpoint, authHeader: 'X Key' } }],
  ['input.config.authScheme', { config: { endpoint, authScheme: 'two words' } }],
  ['input.config.toField', { config: { endpoint, toField: '' } }],
  ['input.config.htmlField', { config: { endpoint, htmlField: 'to' } }],
  ['input.config.region', { config: { endpoint, region: 'eu-west-1' } }],
  ['input.config.region', { ...ses, config: {} }],
  ['input.config.region', { ...ses, config: { region: 'evil.example.com/' } }],
  ['input.config.endpoint', { ...ses, config: { region: 'eu-west-1', endpoint } }],
  ['input.config.endpoint', { kind: 'RESEND', config: { endpoint: 'https://example.org/?a=b' } }],
  ['input.secret.apiKey', { secret: {} }],
  ['input.secret.apiKey', { secret: { apiKey: 'a\nb' } }],
  ['input.secret.accessKeyId', { secret: { apiKey: 'a', accessKeyId: 'b' } }],
  ['input.secret.secretAccessKey', { ...ses, secret: { accessKeyId: 'a' } }],
  ['input.noticeKey', { noticeKey: 'whsec_short' }],
  ['input.noticeKey', { kind: 'SENDGRID', config: {}, noticeKey: 'AAAA' }],
  ['input.noticeKey', { ...ses, noticeKey: 'arn:aws:sqs:eu-west-1:123456789012:bounces' }],
])('%s is refused in %j', async (field, part) => {
  const ctx = fresh();
  const answer = await ask(ctx, ADD, { input: { ...rest, ...part } });
  expect(answer).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' });
  expect(answer.message?.split(' ')[0]).toBe(field);
  expect(await listEmailProviders(ctx)).toHaveLength(1);
});

test.each<[string, object]>([
  ['a provider of one JSON object', {}],
  ['Resend at its own address', { kind: 'RESEND', config: {} }],
  ['SendGrid in Europe', { kind: 'SENDGRID', config: { endpoint: 'https://api.eu.sendgrid.com/' } }],
  ['SES', { ...ses, noticeKey: 'arn:aws:sns:eu-west-1:123456789012:bounces' }],
])('%s is accepted', async (_, part) => {
  expect((await ask(fresh(), ADD, { input: { ...rest, ...part } })).code).toBeUndefined();
});
