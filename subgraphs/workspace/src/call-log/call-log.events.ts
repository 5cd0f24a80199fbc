/** Live channel: calls of credentials of the workspace were written. */
export const callsChannel = (workspaceId: string): string => `calls:${workspaceId}`;

/** The actor of calls with an API key. */
export const actorOf = (apiKeyId: string): string => `key:${apiKeyId}`;
