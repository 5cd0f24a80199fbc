import {
  ActivateDataDocument,
  ConfirmDataDocument,
  GetDataDocument,
  PreviewDataDocument,
} from '#generated/graphql';
import { GET, PATCH, POST } from '../../table/row.ts';

/** A file of 5 MiB is longer in JSON, where quotes and line ends are escaped. */
const bodyBytesMax = 12 * 1024 * 1024;

export const dataRoutes = [
  GET('/api/v1/data', GetDataDocument),
  POST('/api/v1/data', PreviewDataDocument, { bodyBytesMax }),
  POST('/api/v1/data', ConfirmDataDocument, { bodyBytesMax, when: { confirmed: true } }),
  PATCH('/api/v1/data', ActivateDataDocument),
];
