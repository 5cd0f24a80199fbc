import type { Config } from '@loyalty/platform/operations/config';
import { NO_ID } from '@loyalty/platform/values/ids';
import type { StoredProvider } from './email-providers.store.ts';

/** A provider as the graph shows it. */
export type EmailProvider = Omit<StoredProvider, 'kind' | 'secretSealed' | 'createdAt' | 'updatedAt'> & {
  readonly kind: StoredProvider['kind'] | 'PLATFORM';
  readonly isTerminal: boolean;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
};

/** Stands for the platform's own provider, which has no row. */
export const PLATFORM_PROVIDER_ID = NO_ID;

/** The last of every list. */
export function platformProvider({ MAIL_FROM }: Config, position: number): EmailProvider {
  return {
    id: PLATFORM_PROVIDER_ID,
    name: 'Platform',
    kind: 'PLATFORM',
    position,
    isEnabled: true,
    isTerminal: true,
    config: senderOf(MAIL_FROM),
    noticeSecretSealed: null,
    failures: 0,
    pausedUntil: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastError: null,
    createdAt: null,
    updatedAt: null,
  };
}

/** The parts of a sender such as `Loyalty <no-reply@example.com>`. */
function senderOf(sender: string): { fromAddress: string; fromName: string | null } {
  const [, name = '', address] = /^\s*"?([^"<]*)"?\s*<([^>]+)>\s*$/.exec(sender) ?? [];
  return { fromAddress: address ?? sender.trim(), fromName: name.trim() || null };
}
