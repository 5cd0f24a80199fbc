import { catalogByKey } from './catalog-events.ts';

/** Type of the test message of `pingWebhook`. Endpoints cannot subscribe to it. */
export const PING_EVENT = 'webhook.ping';

/** An event as it is stored for its deliveries. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  /** Null for a test message, which is not an event of the workspace. */
  readonly sequence: bigint | number | null;
  /** Name of the member's tier; null if the member has none, or the event does not show it. */
  readonly tier: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The body of a webhook. */
export type EventBody = {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly sequence: number | null;
  readonly data: EventData;
};

interface EventData {
  readonly resource_id: string;
  readonly member_ref?: string;
  readonly tier?: string;
  readonly amount_band?: string;
}

/**
 * The body of an event's deliveries: ids, the tier and a band of the amount. Nothing else of the payload is
 * sent. Integrations read details through the API.
 *
 * @remarks Source: v2 REST API, section 2 "Webhook delivery"
 */
export const eventBody = (event: DeliveredEvent): EventBody => ({
  id: event.id,
  type: event.type,
  created_at: event.createdAt.toISOString(),
  sequence: event.sequence === null ? null : Number(event.sequence),
  data: dataOf(event),
});

/** If the catalog no longer has the type of an event, the resource is the event itself. */
function dataOf({ id, type, tier, payload }: DeliveredEvent): EventData {
  const { resource, showsTier = false } = catalogByKey.get(type) ?? resourceOfPing(type);
  const { memberId, amountBand } = payload;
  return {
    resource_id: resource === null ? id : String(payload[resource]),
    ...(typeof memberId === 'string' && { member_ref: memberId }),
    ...(showsTier && tier !== null && { tier }),
    ...(typeof amountBand === 'string' && { amount_band: amountBand }),
  };
}

const resourceOfPing = (type: string) => ({
  resource: type === PING_EVENT ? 'webhookEndpointId' : null,
  showsTier: false,
});
