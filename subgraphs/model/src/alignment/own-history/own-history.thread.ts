import { parentPort, workerData } from 'node:worker_threads';
import { fitOwnHistory, type OwnHistoryRequest } from './fit-own-history.ts';

// Runs in a thread of its own, one fit: see own-history-thread.ts.
const outcome = fitOwnHistory(workerData as OwnHistoryRequest, (progress) =>
  parentPort?.postMessage({ progress }),
);
parentPort?.postMessage({ outcome });
