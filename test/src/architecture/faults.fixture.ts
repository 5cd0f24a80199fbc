import { projectOf, type Rule } from './project.ts';

/** Where the rule finds breaches in files with these texts, as `path:line`. */
export const faults = (rule: Rule, texts: Readonly<Record<string, string>>): string[] =>
  rule.check(projectOf(texts)).map(({ file, line }) => `${file}:${line}`);
