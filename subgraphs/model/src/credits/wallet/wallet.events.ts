/**
 * Live channel of one workspace's wallet; it carries the workspace's id whenever the wallet changed
 * (`model.wallet_changed`). It is not an outbox event: no job reacts to it, it only makes open screens
 * read the wallet again.
 */
export const walletChannel = (workspaceId: string): string => `wallet:${workspaceId}`;
