import { rowsToCopy } from './copied-rows.store.ts';

// Runs in a thread of its own: see copied-members.store.ts.
export default rowsToCopy;
