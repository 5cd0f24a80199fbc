import { apiKeyOf } from '@loyalty/platform/base/caller';

/** Live channel: calls with credentials of the workspace were written. */
export const callsChannel = (workspaceId: string): string => `calls:${workspaceId}`;

/** Returns the actor of calls with an API key. */
export const actorOf = (apiKeyId: string): string => `key:${apiKeyId}`;

/** Returns the id of an actor's API key; null for other actors. */
export const keyOf = (actor: string): string | null => apiKeyOf(actor)?.id ?? null;
