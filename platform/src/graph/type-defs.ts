import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, parse } from 'graphql';
import { QUESTIONS_FILE } from '../base/questions.ts';
import { withFieldAccess } from '../identity/type-access.ts';
import { withPages } from './paged.ts';

const shared = (file: string): string => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');

/**
 * The SDL of a subgraph: the prelude, the interface `Job` where one of its types has it, then every .graphql
 * file below its folder, by path, but for its questions; the `@access` of types stands on their fields, and
 * lists with `@paged` are connections.
 */
export function readTypeDefs(directory: string): DocumentNode {
  const files = globSync('**/*.graphql', { cwd: directory, exclude: [QUESTIONS_FILE] }).sort();
  const own = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n');
  const job = own.includes('implements Job') ? shared('job.graphql') : '';
  const written = parse([shared('prelude.graphql'), job, own].join('\n'), { noLocation: true });
  return withFieldAccess(withPages(written));
}
