import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, parse } from 'graphql';
import { QUESTIONS_FILE } from '../base/questions.ts';
import { withFieldAccess } from '../identity/type-access.ts';
import { withPages } from './paged.ts';

const shared = (file: string): string => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');

/**
 * Reads the SDL of a subgraph: the prelude, the interface `Job` if one of its types implements it, then every
 * .graphql file in its folder, in path order, except its questions. The `@access` of types is moved to their
 * fields, and lists with `@paged` become connections.
 */
export function readTypeDefs(directory: string): DocumentNode {
  const files = globSync('**/*.graphql', { cwd: directory, exclude: [QUESTIONS_FILE] }).sort();
  const own = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n');
  const job = own.includes('implements Job') ? shared('job.graphql') : '';
  const written = parse([shared('prelude.graphql'), job, own].join('\n'), { noLocation: true });
  return withFieldAccess(withPages(written));
}
