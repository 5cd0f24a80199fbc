import { bgNbd } from './bg-nbd.ts';
import { mbgNbd } from './mbg-nbd.ts';
import { paretoNbd } from './pareto-nbd.ts';
import type { PurchaseModel } from './purchase-model.ts';

/** In the order in which fits are printed. */
export const models: readonly PurchaseModel[] = [bgNbd, mbgNbd, paretoNbd];
