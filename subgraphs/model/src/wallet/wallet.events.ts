/**
 * Live channel that carries a workspace's id whenever its wallet changed (`model.wallet_changed`).
 * It is no outbox event: nothing reacts to it later, it only makes open screens read the wallet again.
 */
export const WALLET_CHANNEL = 'wallet';
