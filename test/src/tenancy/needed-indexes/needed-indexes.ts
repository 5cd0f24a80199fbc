import { commerceIndexes } from './commerce-indexes.ts';
import { engagementIndexes } from './engagement-indexes.ts';
import { logIndexes } from './log-indexes.ts';
import { loyaltyIndexes } from './loyalty-indexes.ts';
import { messageIndexes } from './message-indexes.ts';
import { modelIndexes } from './model-indexes.ts';
import { platformIndexes } from './platform-indexes.ts';
import { workspaceIndexes } from './workspace-indexes.ts';

/** An index, and the piece of a query for which it is there. */
export interface NeededIndex {
  readonly name: string;
  readonly file: string;
  readonly piece: string;
}

/** Every index that no primary key and no unique rule needs; whoever adds one says here what for. */
export const neededIndexes: readonly NeededIndex[] = [
  commerceIndexes,
  engagementIndexes,
  logIndexes,
  loyaltyIndexes,
  messageIndexes,
  modelIndexes,
  platformIndexes,
  workspaceIndexes,
].flatMap((files) =>
  Object.entries(files).flatMap(([file, indexes]) =>
    Object.entries(indexes).map(([name, piece]) => ({ name, file, piece })),
  ),
);
