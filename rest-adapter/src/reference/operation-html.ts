import type { DescribedOperation } from './described-operation.ts';
import { codeHtml, escapeHtml, inlineHtml, proseHtml } from './markup.ts';
import { curlSample, samplePath, typescriptSample } from './samples.ts';
import { schemaHtml } from './schema-html.ts';

/** An operation that can be opened: parameters, body, answers, samples and a call. */
export function operationHtml(operation: DescribedOperation): string {
  const { id, method, path, summary, description } = operation;
  return `<details class="operation" id="${id}" data-find="${escapeHtml(
    `${method} ${path} ${id} ${summary}`.toLowerCase(),
  )}"><summary><span class="method ${method.toLowerCase()}">${method}</span>
<code class="path">${pathHtml(path)}</code> <span class="about">${inlineHtml(summary)}</span></summary>
<div class="inside">${proseHtml(description)}${parametersHtml(operation)}${bodyHtml(operation)}
${samplesHtml(operation)}${tryHtml(operation)}${answersHtml(operation)}</div></details>`;
}

/** A path may break at its slashes on a narrow screen. */
const pathHtml = (path: string): string => escapeHtml(path).replaceAll('/', '<wbr>/');

function parametersHtml({ parameters }: DescribedOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th>
<td>${escapeHtml(place)}${required ? ', <span class="required">required</span>' : ''}</td>
<td>${schemaHtml(schema ?? {})}${description ? `<br>${inlineHtml(description)}` : ''}</td></tr>`,
  );
  return `<h3>Parameters</h3><table><thead><tr><th scope="col">Name</th><th scope="col">Place</th>
<th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const bodyHtml = ({ body }: DescribedOperation): string =>
  body ? `<h3>Body</h3><div class="schema">${schemaHtml(body.schema)}</div>` : '';

function samplesHtml(operation: DescribedOperation): string {
  const { id } = operation;
  return `<h3>Samples</h3><p class="language">curl</p>${codeHtml(curlSample(operation), `${id} in curl`)}
<p class="language">TypeScript</p>${codeHtml(typescriptSample(operation), `${id} in TypeScript`)}`;
}

/** The script sends what the fields say; without it nothing is shown. */
function tryHtml(operation: DescribedOperation): string {
  const { id, method, body } = operation;
  const text = body ? JSON.stringify(body.example ?? {}, null, 2) : '';
  const field = body
    ? `<label for="${id}-body">Body</label>
<textarea id="${id}-body" name="body" rows="6" spellcheck="false">${escapeHtml(text)}</textarea>`
    : '';
  return `<form class="try" data-method="${method}" hidden><h3>Try it</h3>
<label for="${id}-path">Path</label>
<input id="${id}-path" name="path" value="${escapeHtml(samplePath(operation))}" spellcheck="false">
${field}<button type="submit">Send ${method}</button><div class="reply" role="status"></div></form>`;
}

function answersHtml({ id, answers }: DescribedOperation): string {
  const each = answers.map(({ status, description, schema, example }) => {
    const shape = schema ? `<div class="schema">${schemaHtml(schema)}</div>` : '';
    const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
    const shown = example === undefined ? '' : codeHtml(text, `${id}: example of ${status}`);
    return `<details class="answer"><summary><strong>${escapeHtml(status)}</strong> ${inlineHtml(
      description,
    )}</summary>${shape}${shown}</details>`;
  });
  return `<h3>Answers</h3>${each.join('')}`;
}
