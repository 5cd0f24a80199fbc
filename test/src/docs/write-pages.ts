import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eventsPage } from './events-page.ts';
import { reasonsPage } from './reasons-page.ts';
import { restPage } from './rest-page.ts';
import { settingsPage } from './settings-page.ts';

/**
 * Writes the pages of `docs` that are generated. With `--check` it only says whether they are what the product
 * says of itself.
 */
const pages = {
  'events.md': eventsPage,
  'reference/error-reasons.md': reasonsPage,
  'reference/rest-paths.md': restPage,
  'settings.md': settingsPage,
};

for (const [name, text] of Object.entries(pages)) {
  const path = new URL(`../../../docs/${name}`, import.meta.url);
  const isFresh = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (isFresh) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`docs/${name} is stale: run \`npm run docs\` and commit it.\n`);
    process.exitCode = 1;
  } else writeFileSync(path, text);
}
