import { projectOf, type Rule } from './project.ts';

/** Where the rule finds fault with files of these texts: `path:line`. */
export const faults = (rule: Rule, texts: Readonly<Record<string, string>>): string[] =>
  rule.check(projectOf(texts)).map(({ file, line }) => `${file}:${line}`);
