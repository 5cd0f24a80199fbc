import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { variables } from '@loyalty/platform/config/config';
import { z } from 'zod';
import { code, codes, row, table } from './markdown.ts';

type Name = keyof typeof variables;

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');

/** The values that a setting takes, from its schema. */
function valuesOf(name: Name): string {
  const given = z.toJSONSchema(variables[name], { io: 'input', unrepresentable: 'any' });
  if (given.enum)
    return `One of ${codes(given.enum.map(String).filter((value) => !/^(true|false)$/.test(value)))}.`;
  const { type, minimum, maximum } = z.toJSONSchema(variables[name], {
    io: 'output',
    unrepresentable: 'any',
  });
  const count = (value: number | undefined) => value?.toLocaleString('en-US') ?? '';
  return type === 'integer' ? `From ${count(minimum)} to ${count(maximum)}.` : '';
}

/** The row of a setting. @throws AssertionError if `.env.example` shows another default than the schema has */
function settingRow(name: Name, shown: string, comment: string): string {
  const schema = variables[name];
  const read = (value: string | undefined) => schema.safeParse(value).data;
  deepStrictEqual(read(shown || undefined), read(undefined), `.env.example has another default of ${name}`);
  const text = comment.replace(/\b[A-Z]+(?:_[A-Z]+)+\b|\/\w+z\b|\/(?:graphql|metrics)\b/g, (found) =>
    comment.includes(`\`${found}`) || comment.includes(`${found}/`) ? found : code(found),
  );
  const words = `${text.replace(/([^.])$/, '$1.')} ${valuesOf(name)}`.trim();
  return row(code(name), shown ? code(shown) : '', words);
}

const sections = example
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = '', ...lines] = section.split('\n');
    const settings = [...lines.join('\n').matchAll(/^((?:# .*\n)+)([A-Z][A-Z0-9_]*)=(.*)$/gm)];
    const rows = settings.map(([, comment = '', name, shown = '']) =>
      settingRow(name as Name, shown, comment.replace(/^# /gm, '').trim().replaceAll('\n', ' ')),
    );
    return `## ${title}\n\n${table(['Setting', 'Default', 'What it does'], rows)}`;
  });

/** `docs/settings.md`, from the settings' schemas and from `.env.example`, which explains them. */
export const settingsPage = `# Settings

Here you find every setting of the product, its default and what it does. This page is generated from the
settings themselves: \`npm run docs\` writes it, \`npm run check\` compares.

Settings are variables of the environment; \`npm start\` needs none. An empty variable counts as not set. A
process with a wrong setting says in one sentence what to set, and ends. Settings marked (production) must be
set where \`NODE_ENV\` is \`production\`.

${sections.join('\n\n')}
`;
