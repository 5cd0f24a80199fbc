import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest runs the same sources as the servers do: types are blanked out in place, so line numbers hold. */
const strip = (source) => ({ code: stripTypeScriptTypes(source) });

export default {
  canInstrument: false,
  process: strip,
  processAsync: async (source) => strip(source),
  getCacheKey: (source) => createHash('sha256').update(process.version).update(source).digest('hex'),
};
