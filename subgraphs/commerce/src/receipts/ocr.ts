import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import tesseract from 'tesseract.js';

/** The recognized text of a picture. */
interface RecognizedText {
  readonly text: string;
  /** Confidence of the engine, 0 to 100. */
  readonly confidence: number;
}

export interface TextReader {
  /**
   * Reads the text of a JPEG, PNG or WebP. Returns null if the engine cannot read it or exceeds the deadline.
   */
  read(image: Buffer): Promise<RecognizedText | null>;
}

type Engine = Awaited<ReturnType<typeof tesseract.createWorker>> & { readonly worker: Thread };

const START_MS = 60_000;
const LSTM_ONLY = 1;

/** The language data is part of the package, so nothing is downloaded. */
const languageData = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng')),
  '4.0.0_best_int',
);

/**
 * Creates a reader with one OCR engine in a worker thread, which reads one picture at a time: an engine takes
 * 150 MB and a core. The engine starts with the first picture and ends after the idle time.
 *
 * @param options.deadlineMs - a picture that takes longer counts as unreadable; default 90,000
 * @param options.idleMs - default 60,000
 */
export function createTextReader({ deadlineMs = 90_000, idleMs = 60_000 } = {}): TextReader {
  let engine: Promise<Engine> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    const ended = engine;
    engine = null;
    await (await ended?.catch(() => null))?.terminate();
  }

  async function readNow(image: Buffer): Promise<RecognizedText | null> {
    clearTimeout(idle);
    engine ??= start();
    try {
      const running = await engine;
      running.worker.ref();
      const read = await within(deadlineMs, running, image);
      // An idle thread must not keep the process from ending.
      running.worker.unref();
      if (read === 'BROKEN') await end();
      idle = setTimeout(() => void end(), idleMs).unref();
      return read === 'BROKEN' ? null : read;
    } catch (error) {
      engine = null;
      throw error;
    }
  }

  return {
    read(image) {
      const mine = turn.then(() => readNow(image));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** The reader of this process. */
export const textReader = createTextReader();

/** Starts the engine. Errors of loading reach only its error handler, so the handler rejects the promise. */
function start(): Promise<Engine> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The OCR engine did not start in time.')), START_MS);
    const options = { langPath: languageData, gzip: true, cacheMethod: 'none', errorHandler: reject };
    tesseract
      .createWorker('eng', LSTM_ONLY, options)
      .then((engine) => resolve(engine as Engine), reject)
      .finally(() => clearTimeout(late));
  });
}

/**
 * Reads a picture within a deadline. Returns `BROKEN` if the thread ended or was too slow, and must be
 * replaced.
 */
async function within(
  deadlineMs: number,
  engine: Engine,
  image: Buffer,
): Promise<RecognizedText | 'BROKEN' | null> {
  const { promise: broken, resolve } = Promise.withResolvers<'BROKEN'>();
  const fail = () => resolve('BROKEN');
  const late = setTimeout(fail, deadlineMs);
  engine.worker.once('error', fail).once('exit', fail);
  try {
    return await Promise.race([broken, recognize(engine, image)]);
  } finally {
    clearTimeout(late);
    engine.worker.off('error', fail).off('exit', fail);
  }
}

async function recognize(engine: Engine, image: Buffer): Promise<RecognizedText | null> {
  try {
    const { data } = await engine.recognize(image);
    return { text: data.text, confidence: data.confidence };
  } catch {
    return null;
  }
}
