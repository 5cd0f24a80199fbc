import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { questionTypes } from '../graph/question-types.ts';
import { questionsIn } from './questions.ts';

/** Creates a package with this `peers.graphql`. */
function packageAsking(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'questions-'));
  mkdirSync(join(directory, 'src'));
  writeFileSync(join(directory, 'src/peers.graphql'), text);
  return directory;
}

test('each question is sent by itself, with the fragments that it uses', () => {
  const directory = packageAsking(`query A { member(id: 1) { ...Id } } query B { stores { totalCount } }
    fragment Id on Member { id }`);
  const { A, B } = questionsIn<Record<string, string>>(join(directory, 'src'));
  expect(A?.replaceAll(/\s+/g, ' ')).toBe('query A { member(id: 1) { ...Id } } fragment Id on Member { id }');
  expect(B).not.toContain('fragment');
});

test('a question is for the subgraph that has all its fields, and for none where two share them', () => {
  const member = (field: string) => `query Asked { member(id: 1) { ${field} } }`;
  const typed = JSON.stringify(questionTypes(packageAsking(member('pointsBalance'))));
  expect(typed).toContain("readonly Asked: Question<'loyalty', AskedQuery, AskedQueryVariables>;");
  expect(() => questionTypes(packageAsking(member('id segments { id }')))).toThrow(
    'No subgraph has all fields of the question Asked.',
  );
});
