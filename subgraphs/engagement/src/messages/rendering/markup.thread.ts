import { parentPort } from 'node:worker_threads';
import { compileMarkup, type MarkupJob } from './markup.steps.ts';

// Runs in a thread of its own, one job at a time: see markup-compiler.ts.
await Promise.all([import('juice'), import('mjml')]);
parentPort?.on('message', async (job: MarkupJob) => {
  try {
    parentPort?.postMessage(await compileMarkup(job));
  } catch (error) {
    const message = error instanceof RangeError ? 'it is nested too deeply' : 'it cannot be compiled';
    parentPort?.postMessage({ problems: [{ message, line: 1 }] });
  }
});

parentPort?.postMessage('READY');
