import { type EventStage, eventStages } from '@loyalty/platform/work/events';
import { type DescribedEvent, describedEvents } from './described-events.ts';

/** An event that integrations may subscribe to. */
export interface CatalogEvent {
  /** Its name in `eventTypes` and in the body of a delivery. */
  readonly key: string;
  readonly stage: EventStage;
  readonly label: string;
  readonly description: string;
  /** The field of the payload whose id is `data.resource_id`. */
  readonly resource: string;
  /** Deliveries contain the member's tier. */
  readonly showsTier: boolean;
  /** The type of the event, with the shape of its payload. */
  readonly type: DescribedEvent;
}

/** The fields of a payload by name. */
const shapeOf = ({ schema }: DescribedEvent): Readonly<Record<string, unknown>> =>
  (schema as unknown as { readonly shape: Readonly<Record<string, unknown>> }).shape;

/** Whether the payload has a field of this name. */
export const hasField = ({ type }: CatalogEvent, field: string): boolean =>
  Object.hasOwn(shapeOf(type), field);

function inStage(stage: EventStage): CatalogEvent[] {
  return describedEvents.flatMap((type) => {
    const { webhook } = type.uses;
    if (webhook?.stage !== stage) return [];
    const showsTier = stage === 'loyalty' && Object.hasOwn(shapeOf(type), 'memberId');
    return [{ ...webhook, key: type.type, showsTier, type }];
  });
}

/** All events that integrations may subscribe to, by stage. A test triggers each of them through the API. */
export const catalogEvents: readonly CatalogEvent[] = eventStages.flatMap(inStage);

/** The same events by key. */
export const catalogByKey: ReadonlyMap<string, CatalogEvent> = new Map(
  catalogEvents.map((event) => [event.key, event]),
);
