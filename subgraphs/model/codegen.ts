import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(
  import.meta.dirname,
  {
    Wallet: '../src/wallet/wallet.store.ts#Wallet as WalletRow',
    MemberPredictions:
      '../src/member-predictions/member-predictions.service.ts#MemberPredictions as MemberPredictionsRow',
    CreditEntry: '../src/wallet/wallet.store.ts#CreditEntry as CreditEntryRow',
  },
  { CreditEntryRow: ['CreditEntryConnection'] },
);
