import { commerceIndexes } from './commerce-indexes.ts';
import { engagementIndexes } from './engagement-indexes.ts';
import { logIndexes } from './log-indexes.ts';
import { loyaltyIndexes } from './loyalty-indexes.ts';
import { messageIndexes } from './message-indexes.ts';
import { modelIndexes } from './model-indexes.ts';
import { platformIndexes } from './platform-indexes.ts';
import { workspaceIndexes } from './workspace-indexes.ts';

/** An index, and a part of the query that needs it. */
export interface NeededIndex {
  readonly name: string;
  readonly file: string;
  readonly piece: string;
}

/** Every index that is neither a primary key nor unique. A new index needs an entry here. */
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
