import { exceptions } from './exceptions.ts';
import { judge, readProject } from './project.ts';
import { rules, upcoming } from './rules.ts';

/**
 * Run by `npm run check`: lists every breach, rule by rule, and fails when there is one. `--upcoming` holds the
 * code against the upcoming rules, too.
 */
const checked = process.argv.includes('--upcoming') ? [...rules, ...upcoming] : rules;
const breaches = judge(readProject(), checked, exceptions);
for (const [rule, found] of Map.groupBy(breaches, (breach) => breach.rule)) {
  const lines = found.map(({ file, line, message }) => `  ${file}:${line} ${message}`);
  process.stderr.write(`${rule} (${found.length})\n${lines.join('\n')}\n`);
}
if (breaches.length > 0) process.exit(1);
