import * as circles from './circles.rules.ts';
import * as database from './database.rules.ts';
import * as descriptions from './descriptions.rules.ts';
import * as exported from './exports.rules.ts';
import * as folders from './folders.rules.ts';
import * as graph from './graph.rules.ts';
import * as habits from './habits.rules.ts';
import * as imports from './imports.rules.ts';
import * as liveOnly from './live-only.rules.ts';
import type { Rule } from './project.ts';
import * as reasons from './reasons.rules.ts';
import * as secrets from './secrets.rules.ts';
import * as settings from './settings.rules.ts';
import * as sizes from './sizes.rules.ts';
import * as words from './words.rules.ts';

const rulesOf = (...files: readonly Readonly<Record<string, Rule>>[]): Rule[] =>
  files.flatMap((file) => Object.values(file));

/** All rules about the code that can be checked by reading files. */
export const rules: readonly Rule[] = rulesOf(
  imports,
  database,
  graph,
  descriptions,
  reasons,
  liveOnly,
  habits,
  secrets,
  settings,
  sizes,
  circles,
  folders,
  exported,
  words,
);
