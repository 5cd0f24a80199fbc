/** A call of the quick start in both languages. */
interface Step {
  readonly title: string;
  readonly curl: string;
  readonly typescript: string;
}

const json = `-H 'Content-Type: application/json'`;
const bearer = `-H "Authorization: Bearer $KEY"`;

/** The first five calls of a newcomer; the second answer has the token, the third the key. */
const steps: readonly Step[] = [
  {
    title: 'Register an account with a workspace',
    curl: `curl "$API/api/v2/auth/register" ${json} \\
  -d '{"email":"ada@example.com","password":"correct horse battery","name":"Ada"}'`,
    typescript: `const call = async (path: string, body: object, credential = '') => {
  const response = await fetch(api + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(credential && { authorization: \`Bearer \${credential}\` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${response.headers.get('x-error-code')}\`);
  return response.json();
};
const account = { email: 'ada@example.com', password: 'correct horse battery' };
await call('/api/v2/auth/register', { ...account, name: 'Ada' });`,
  },
  {
    title: 'Sign in: the answer has a token',
    curl: `curl "$API/api/v2/auth/login" ${json} \\
  -d '{"email":"ada@example.com","password":"correct horse battery"}'
TOKEN=… # "token" of the answer`,
    typescript: `const { token } = await call('/api/v2/auth/login', account);`,
  },
  {
    title: 'Create a key: it is shown once',
    curl: `curl "$API/api/v2/api-keys" ${json} -H "Authorization: Bearer $TOKEN" \\
  -d '{"name":"till","scopes":["members:read","members:write","points:write"]}'
KEY=… # "key" of the answer`,
    typescript: `const scopes = ['members:read', 'members:write', 'points:write'];
const { key } = await call('/api/v2/api-keys', { name: 'till', scopes }, token);`,
  },
  {
    title: 'Add a member',
    curl: `curl "$API/api/v2/members" ${json} ${bearer} \\
  -d '{"email":"bo@example.com","fullName":"Bo Berg"}'
MEMBER=… # "id" of the answer`,
    typescript: `const person = { email: 'bo@example.com', fullName: 'Bo Berg' };
const member = await call('/api/v2/members', person, key);`,
  },
  {
    title: 'Award points',
    curl: `curl "$API/api/v2/members/$MEMBER/points" ${json} ${bearer} \\
  -d '{"amount":120,"description":"welcome"}'`,
    typescript: `const award = { amount: 120, description: 'welcome' };
await call(\`/api/v2/members/\${member.id}/points\`, award, key);`,
  },
];

/** The quick start in Markdown. @param address - where its calls are sent */
export const quickStart = (address: string): string =>
  [
    '# Quick start',
    'Five calls, from nothing to a member with points. Set the address first:',
    fenced('sh', `API=${address}`),
    fenced('ts', `const api = '${address}';`),
    ...steps.flatMap(({ title, curl, typescript }, index) => [
      `**${index + 1}. ${title}**`,
      fenced('sh', curl),
      fenced('ts', typescript),
    ]),
  ].join('\n\n');

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
