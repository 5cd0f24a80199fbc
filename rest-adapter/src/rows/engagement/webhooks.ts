import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  EventsCatalogDocument,
  ListWebhooksDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
} from '#generated/graphql';
import { DELETE, GET, PATCH, POST } from '../../table/row.ts';

const also = { events: 'eventTypes' };

export const webhooksRoutes = [
  GET('/api/v2/webhooks', ListWebhooksDocument),
  POST('/api/v2/webhooks', CreateWebhookDocument, { also, status: 201 }),
  PATCH('/api/v2/webhooks/:id', UpdateWebhookDocument, { also }),
  PATCH('/api/v2/webhooks/:id', RotateWebhookSecretDocument, { when: { action: 'rotate_secret' } }),
  DELETE('/api/v2/webhooks/:id', DeleteWebhookDocument),
  GET('/api/v2/events/catalog', EventsCatalogDocument, { tool: { name: 'events_list' } }),
];
