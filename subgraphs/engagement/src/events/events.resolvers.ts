import type { CatalogEventResolvers, EventStage, QueryResolvers } from '#generated/schema';
import { catalogEvents } from './catalog-events.ts';
import { exampleBody, payloadHeaders, payloadSchema } from './event-payload.ts';

export const Query = {
  eventCatalog: () => ({
    events: [...catalogEvents],
    payload: { schema: payloadSchema, headers: payloadHeaders },
  }),
} satisfies QueryResolvers;

export const CatalogEvent = {
  stage: ({ stage }) => stage.toUpperCase() as EventStage,
  examplePayload: (event) => exampleBody(event),
} satisfies CatalogEventResolvers;
