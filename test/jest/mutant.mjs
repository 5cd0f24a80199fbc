import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withMutant } from '../src/mutate/mutants.ts';

/** The mutant that `npm run mutate` asks for stands in its file while tests run, and never on the disk. */
const { LOYALTY_MUTANT } = process.env;

if (LOYALTY_MUTANT !== undefined) {
  const mutant = JSON.parse(LOYALTY_MUTANT);
  const { href } = pathToFileURL(join(process.cwd(), mutant.file));
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url === href ? { ...loaded, source: withMutant(String(loaded.source), mutant) } : loaded;
    },
  });
}
