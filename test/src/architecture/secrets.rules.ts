import { type DefinitionNode, type DirectiveNode, type NameNode, parse } from 'graphql';
import { isSdl } from './paths.ts';
import type { Breach, Rule } from './project.ts';

/** Names that look like a secret, and the reason why each is not one. */
const open: Readonly<Record<string, string>> = {
  'AgentRun.tokens': 'it counts what a model read and wrote',
  'AgentRunEvent.tokens': 'the same',
  'EnrollmentForm.token': 'it stands in every QR code of the form',
  'Mutation.enrol(token)': 'the token of a form',
  'Query.enrollmentPage(token)': 'the same',
  'Mutation.confirmDataImport(token)': 'it says what was previewed, and is worth nothing without the key',
  'DataImportPreview.token': 'the same',
  'Query._caller(credential)': 'a query keeps nothing',
};

const LIKE_A_SECRET = /password|secret|token|credential/i;

interface Named {
  readonly name: NameNode;
  readonly directives?: readonly DirectiveNode[] | undefined;
}

export const secrets: Rule = {
  name: 'What is named like a password, key or token is marked @secret',
  check: ({ files }) =>
    files
      .filter(({ path }) => isSdl(path))
      .flatMap(({ path, text }) =>
        parse(text).definitions.flatMap((definition) =>
          namedIn(definition)
            .filter(([where, { name, directives }]) => {
              const isMarked = directives?.some((directive) => directive.name.value === 'secret');
              return LIKE_A_SECRET.test(name.value) && !isMarked && !Object.hasOwn(open, where);
            })
            .map(([where, { name }]): Breach => {
              const line = name.loc?.startToken.line ?? 1;
              return { file: path, line, message: `${where} is not marked @secret` };
            }),
        ),
      ),
};

/** Fields, their arguments and input fields of one definition. */
function namedIn(definition: DefinitionNode): [where: string, Named][] {
  if (!('fields' in definition && definition.fields && definition.name)) return [];
  const type = definition.name.value;
  return definition.fields.flatMap((field): [string, Named][] => {
    const where = `${type}.${field.name.value}`;
    const args = 'arguments' in field ? (field.arguments ?? []) : [];
    return [
      // The name of a mutation describes an action, not a value.
      ...(type === 'Mutation' ? [] : [[where, field] satisfies [string, Named]]),
      ...args.map((each): [string, Named] => [`${where}(${each.name.value})`, each]),
    ];
  });
}
