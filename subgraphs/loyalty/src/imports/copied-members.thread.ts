import { rowsToCopy } from './copied-rows.store.ts';

// Runs in a worker thread: see copied-members.store.ts.
export default rowsToCopy;
