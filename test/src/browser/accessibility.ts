import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Looked {
  /** Checks only the elements that match this selector, such as an open dialog. Default: the whole page. */
  readonly within?: string | undefined;
  /**
   * Checks only the contrast of text. For a page that was checked before and that differs only in its
   * colours.
   */
  readonly onlyContrast?: boolean;
}

/**
 * Breaches of WCAG 2.2 AA and of the best practices that axe finds, by rule and element. Frames are not
 * checked.
 */
export async function violationsOf(page: Page, { within, onlyContrast }: Looked = {}): Promise<string[]> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe);
  const rules = onlyContrast ? ['color-contrast'] : ALL;
  const part = within ? `document.querySelectorAll(${JSON.stringify(within)})` : 'document';
  const found = await page.evaluate<{ checked: number; violations: string[] }>(`axe.run(${part}, {
    iframes: false,
    runOnly: ${JSON.stringify(rules)},
    resultTypes: ['violations'],
  }).then(({ passes, violations }) => ({
    checked: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))),
  }))`);
  return found.checked > 0 ? found.violations : ['nothing was checked'];
}
