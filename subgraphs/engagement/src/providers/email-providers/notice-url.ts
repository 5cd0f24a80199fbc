import type { Context } from '@loyalty/platform/context';

/** Where a provider sends its notices. */
export function noticeUrl({ services, scope }: Context, providerId: string): string {
  const { PUBLIC_URL, HOST, PORT } = services.config;
  const base = (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '');
  return `${base}/api/email-notices/${scope.workspaceId}/${providerId}`;
}
