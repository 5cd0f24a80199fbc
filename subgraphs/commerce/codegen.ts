import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(
  import.meta.dirname,
  { Store: '../src/stores/stores.store.ts#Store as StoreRow' },
  { StoreRow: ['StoreConnection'] },
);
