import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(
  import.meta.dirname,
  {
    Store: '../src/stores/stores.store.ts#Store as StoreRow',
    Product: '../src/products/products.store.ts#Product as ProductRow',
    Category: '../src/categories/categories.store.ts#Category as CategoryRow',
    CategoryList: '../src/categories/categories.service.ts#CategoryList as CategoryListRow',
    Brand: '../src/brands/brands.store.ts#Brand as BrandRow',
    BrandList: '../src/brands/brands.service.ts#BrandList as BrandListRow',
    Receipt: '../src/receipts/receipts.store.ts#Receipt as ReceiptRow',
    ReceiptItem: '../src/receipt-reading/receipt-text.ts#ReceiptItem as ReceiptItemRow',
    Member: '../src/members/members.service.ts#MemberKey',
  },
  {
    StoreRow: ['StoreConnection'],
    ProductRow: ['ProductConnection'],
    ReceiptRow: ['ReceiptConnection'],
  },
);
