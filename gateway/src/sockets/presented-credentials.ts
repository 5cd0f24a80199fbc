import type { IncomingHttpHeaders } from 'node:http';
import { unauthenticated } from '@loyalty/platform/errors';
import type { PresentedCredentials } from '../admission/authenticate.ts';

const NAMES = ['authorization', 'x-api-key', 'x-loyalty-mode'] as const;
type Name = (typeof NAMES)[number];

/**
 * The credentials of a client: in `connectionParams`, under the names of the HTTP headers in any case, or in
 * the headers of the upgrade where the client can set them.
 *
 * @throws AppError CREDENTIAL_INVALID (401) for anything but text
 */
export function presentedCredentials(
  params: Readonly<Record<string, unknown>> | undefined,
  headers: IncomingHttpHeaders,
): PresentedCredentials {
  const found: Partial<Record<Name, string>> = {};
  for (const [key, value] of Object.entries(params ?? {})) {
    const name = NAMES.find((known) => known === key.toLowerCase());
    if (!name || value == null) continue;
    if (typeof value !== 'string') {
      throw unauthenticated('CREDENTIAL_INVALID', `Send ${key} in connectionParams as text.`);
    }
    found[name] = value;
  }
  const isInParams = found.authorization !== undefined || found['x-api-key'] !== undefined;
  return isInParams ? credentialsOf(found) : { ...credentialsOf(headers), ...modeOf(found) };
}

const modeOf = ({ 'x-loyalty-mode': mode }: Partial<Record<Name, string>>): PresentedCredentials =>
  mode === undefined ? {} : { mode };

/** The credentials in the headers of a request. */
export function credentialsOf(
  headers: IncomingHttpHeaders | Partial<Record<Name, string>>,
): PresentedCredentials {
  const { authorization, 'x-api-key': apiKey, 'x-loyalty-mode': mode } = headers as Record<Name, string>;
  return { authorization, apiKey, mode };
}
