import { apiKeyOf } from '@loyalty/platform/base/caller';

/** Live channel: calls of credentials of the workspace were written. */
export const callsChannel = (workspaceId: string): string => `calls:${workspaceId}`;

/** The actor of calls with an API key. */
export const actorOf = (apiKeyId: string): string => `key:${apiKeyId}`;

/** The id of the API key that an actor is; null for others. */
export const keyOf = (actor: string): string | null => apiKeyOf(actor)?.id ?? null;
