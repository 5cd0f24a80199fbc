import { type FieldDefinitionNode, Kind, parse } from 'graphql';
import { liveOnlyMutations } from './live-only.ts';
import { isSdl } from './paths.ts';
import type { Breach, Rule } from './project.ts';

const listFile = 'test/src/architecture/live-only.ts';
const listed = new Set(Object.values(liveOnlyMutations).flat());

/**
 * A mutation can lose `liveOnly: true` without any other test that fails, so this rule compares it with a
 * list.
 */
export const liveOnly: Rule = {
  name: 'Mutations of what live and test share are liveOnly, and live-only.ts lists them',
  check({ files }) {
    const mutations = files
      .filter(({ path }) => isSdl(path))
      .flatMap(({ path, text }) =>
        mutationsIn(text).map((field) => ({ path, field, name: field.name.value })),
      );
    const breaches = mutations.flatMap(({ path, field, name }): Breach[] => {
      if (isLiveOnly(field) === listed.has(name)) return [];
      const message = listed.has(name)
        ? `${name} changes what live and test share: give its @access liveOnly: true`
        : `${name} is liveOnly: list it in ${listFile} under what it changes`;
      return [{ file: path, line: field.loc?.startToken.line ?? 1, message }];
    });
    const defined = new Set(mutations.map(({ name }) => name));
    const gone = files.some(({ path }) => path === listFile)
      ? [...listed].filter((name) => !defined.has(name))
      : [];
    return [
      ...breaches,
      ...gone.map((name) => ({ file: listFile, line: 1, message: `there is no mutation ${name}` })),
    ];
  },
};

const mutationsIn = (sdl: string): FieldDefinitionNode[] =>
  parse(sdl).definitions.flatMap((definition) =>
    (definition.kind === Kind.OBJECT_TYPE_EXTENSION || definition.kind === Kind.OBJECT_TYPE_DEFINITION) &&
    definition.name.value === 'Mutation'
      ? (definition.fields ?? [])
      : [],
  );

const isLiveOnly = ({ directives = [] }: FieldDefinitionNode): boolean =>
  directives.some(
    (directive) =>
      directive.name.value === 'access' &&
      directive.arguments?.some(
        ({ name, value }) => name.value === 'liveOnly' && value.kind === Kind.BOOLEAN && value.value,
      ),
  );
