import { groupsWithCircles } from './circles.ts';
import { type Link, linksOf } from './links.ts';
import { isTest, nounOf, packageOf } from './paths.ts';
import type { Breach, Rule } from './project.ts';

/**
 * Finds the circles that imports make between groups of files. A file for which `groupOf` returns null is in
 * no group.
 */
function circlesBetween(links: readonly Link[], groupOf: (path: string) => string | null): Breach[] {
  const edges = new Map<string, Map<string, Link>>();
  for (const link of links) {
    const [from, target] = [groupOf(link.from.path), groupOf(link.target)];
    if (from === null || target === null || from === target) continue;
    const known = edges.get(from) ?? new Map<string, Link>();
    edges.set(from, known);
    if (!known.has(target)) known.set(target, link);
  }
  const targets = new Map([...edges].map(([from, to]) => [from, new Set(to.keys())]));
  return groupsWithCircles(targets).flatMap(({ circle, members }) => {
    const [first = '', second = ''] = circle;
    const link = edges.get(first)?.get(second);
    const message = `${[...circle, first].join(' → ')} (${members.length} import each other)`;
    return link ? [{ file: link.from.path, line: link.line, message }] : [];
  });
}

export const files: Rule = {
  name: 'No file imports itself through others, not even for a type',
  check: (project) => circlesBetween(linksOf(project), (path) => path),
};

/** A noun as `subgraphs/loyalty: points`; null for tests, which build their data through many nouns. */
const nounNode = (path: string): string | null => {
  const noun = nounOf(path);
  return noun === null || isTest(path) ? null : `${packageOf(path)}: ${noun}`;
};

export const nouns: Rule = {
  name: 'No noun of a subgraph calls itself through other nouns',
  check: (project) =>
    circlesBetween(
      linksOf(project).filter(
        ({ values, from, target }) =>
          values.length > 0 &&
          packageOf(from.path) === packageOf(target) &&
          // The declaration of an event calls no code.
          !target.endsWith('.events.ts'),
      ),
      nounNode,
    ),
};
