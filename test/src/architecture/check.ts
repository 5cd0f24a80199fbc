import { exceptions } from './exceptions.ts';
import { judge, readProject } from './project.ts';
import { rules } from './rules.ts';

/** `npm run check` runs this file. It lists every breach of every rule, and fails when there is one. */
const breaches = judge(readProject(), rules, exceptions);
for (const [rule, found] of Map.groupBy(breaches, (breach) => breach.rule)) {
  const lines = found.map(({ file, line, message }) => `  ${file}:${line} ${message}`);
  process.stderr.write(`${rule} (${found.length})\n${lines.join('\n')}\n`);
}
if (breaches.length > 0) process.exit(1);
