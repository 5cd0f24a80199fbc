import type { DescribedOperation } from './described-operation.ts';

/** What a sample takes where a document has no example. */
const SAMPLE_ID = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

/** The path of a sample call, with the parameters that it needs. */
export function samplePath({ path, parameters }: DescribedOperation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((each) => each.name === name) ?? {};
    return encodeURIComponent(String(example ?? SAMPLE_ID));
  });
  const asked = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? '…'))}`);
  return asked.length > 0 ? `${filled}?${asked.join('&')}` : filled;
}

/** A call for a shell, with the credential in `$KEY` and the address in `$API`. */
export function curlSample(operation: DescribedOperation): string {
  const lines = [`curl -X ${operation.method} "$API${samplePath(operation)}"`];
  if (!operation.isOpen) lines.push('-H "Authorization: Bearer $KEY"');
  if (operation.body) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d '${JSON.stringify(operation.body.example ?? {}).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

/** The same call for Node and browsers, in TypeScript. */
export function typescriptSample(operation: DescribedOperation): string {
  const { method, body, isOpen } = operation;
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has the template
    ...(isOpen ? [] : ['    authorization: `Bearer ${key}`,']),
    ...(body ? ["    'content-type': 'application/json',"] : []),
  ];
  const json = JSON.stringify(body?.example ?? {}, null, 2).replaceAll('\n', '\n  ');
  return [
    `const response = await fetch(\`\${api}${samplePath(operation)}\`, {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: JSON.stringify(${json}),`] : []),
    '});',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has the template
    "if (!response.ok) throw new Error(`${response.status} ${response.headers.get('x-error-code')}`);",
    'const answer: unknown = await response.json();',
  ].join('\n');
}
