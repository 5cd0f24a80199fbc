/** The models of a file of prisma/schema: their owner, their name on the Prisma client and their table. */
export const modelsIn = (schema: string): { owner: string; name: string; table: string }[] =>
  [...schema.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].map(([, model = '', body = '']) => {
    const owner = /@@schema\("(\w+)"\)/.exec(body)?.[1] ?? 'public';
    const name = model.charAt(0).toLowerCase() + model.slice(1);
    return { owner, name, table: `${owner}.${/@@map\("(\w+)"\)/.exec(body)?.[1] ?? model}` };
  });
