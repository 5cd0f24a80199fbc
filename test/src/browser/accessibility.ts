import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds against WCAG 2.2 AA and its best practices, by rule and element; frames are left out. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe);
  const found = await page.evaluate<{ checked: number; violations: string[] }>(`axe.run(document, {
    iframes: false,
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }).then(({ passes, violations }) => ({
    checked: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))),
  }))`);
  return found.checked > 0 ? found.violations : ['nothing was checked'];
}
