import { accountsRoutes } from './routes/v2/accounts.routes.ts';
import { apiKeysRoutes } from './routes/v2/api-keys.routes.ts';
import { customFieldsRoutes } from './routes/v2/custom-fields.routes.ts';
import { importsRoutes } from './routes/v2/imports.routes.ts';
import { membersRoutes } from './routes/v2/members.routes.ts';
import { pointsRoutes } from './routes/v2/points.routes.ts';
import { storesRoutes } from './routes/v2/stores.routes.ts';
import { tiersRoutes } from './routes/v2/tiers.routes.ts';
import { unsubscribeRoutes } from './routes/v2/unsubscribe.routes.ts';
import type { Row } from './row.ts';

/** Everything that REST can do. */
export const rows: readonly Row[] = [
  ...accountsRoutes,
  ...apiKeysRoutes,
  ...customFieldsRoutes,
  ...importsRoutes,
  ...membersRoutes,
  ...pointsRoutes,
  ...storesRoutes,
  ...tiersRoutes,
  ...unsubscribeRoutes,
];
