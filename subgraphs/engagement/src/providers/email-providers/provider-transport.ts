import { customRestTransport, type RestMapping } from '../transports/custom-rest.ts';
import { resendTransport } from '../transports/resend.ts';
import { sendgridTransport } from '../transports/sendgrid.ts';
import { sesTransport } from '../transports/ses.ts';
import type { MailTransport, Sender } from '../transports/transport.ts';
import type { StoredProvider } from './email-providers.store.ts';
import type { ProviderSecret } from './provider-secret.ts';

/** How messages reach a provider. @throws Error where configuration and secret do not fit its kind */
export function transportOf(
  { kind, config }: Pick<StoredProvider, 'kind' | 'config'>,
  secret: ProviderSecret,
): MailTransport {
  const sender: Sender = { address: config.fromAddress, name: config.fromName };
  if (kind === 'SES') {
    if (!('accessKeyId' in secret) || !config.region) throw unreadable();
    const { region, endpoint, configurationSet } = config;
    return sesTransport({ region, endpoint, configurationSet, ...secret }, sender);
  }
  if (!('apiKey' in secret) || !config.endpoint) throw unreadable();
  if (kind === 'CUSTOM_REST') return customRestTransport(config as RestMapping, secret.apiKey, sender);
  const transport = kind === 'RESEND' ? resendTransport : sendgridTransport;
  return transport(config.endpoint, secret.apiKey, sender);
}

const unreadable = () => new Error('The configuration of a mail provider is incomplete.');
