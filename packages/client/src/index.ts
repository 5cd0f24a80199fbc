export type { Subscriptions } from '../generated/subscriptions.ts';
export { byCursor, byOffset, type CursorPage, type OffsetPage } from './list-items.ts';
export type { LiveEvents, Progress, SelectedFields, Selection, SubscriptionName } from './live.ts';
export { createLoyaltyClient, type LoyaltyClient, type LoyaltyOptions } from './loyalty-client.ts';
export { type ErrorReason, LoyaltyError, ok, type Refusal } from './loyalty-error.ts';
export type { RetryOptions } from './retrying-fetch.ts';
export { type ReceivedWebhook, verifyWebhook, WebhookError, type WebhookEvent } from './webhooks.ts';
