import { describe, expect, test } from '@jest/globals';
import { AppError } from '@loyalty/platform/base/errors';
import { compileContent, compileInline } from './compile-content.ts';
import { compileSource, createMarkupWork } from './compile-source.ts';
import { render } from './render.ts';

interface Given {
  readonly subject?: string;
  readonly format?: 'HTML' | 'MJML';
  readonly source?: string;
  readonly text?: string;
}

const owner = { scope: { workspaceId: 'a workspace' }, request: { signal: new AbortController().signal } };
const compile = (
  { subject = 'Hello', format = 'HTML', source = '<p>x</p>', text }: Given,
  needsLink = false,
) =>
  compileContent(
    owner,
    { subject, format, source, text: text ?? null },
    { customFields: async () => new Set(['favourite_colour']), needsLink },
  );

/** Returns code, message and details of the error. */
async function refusal(compiling: Promise<unknown>) {
  const error: unknown = await compiling.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('It was compiled.');
  return { code: error.code, message: error.message, ...error.details };
}

const mjml = (content: string): string =>
  `<mjml><mj-body><mj-section><mj-column>\n${content}\n</mj-column></mj-section></mj-body></mjml>`;
const variables = {
  member: { first_name: 'Ada', favourite_colour: 'blue' },
  data: {
    lines: [
      { n: '<1>', url: 'https://example.com/?a=1&b=2' },
      { n: '2', url: 'u' },
    ],
    colour: 'red',
  },
  unsubscribeUrl: 'U',
  preferencesUrl: 'P',
};

describe('HTML', () => {
  test('without styles stays as it was written, and its text is what it says', async () => {
    const source =
      '<h1>Hi {{ member.first_name | default: "you" }}</h1>{% for l in data.lines %}<p>{{ l.n }}</p>{% endfor %}';
    const compiled = await compile({ source });
    expect(compiled.html).toBe(source);
    expect(render(compiled, variables).text.split(/\n+/)).toEqual(['Hi Ada', '<1>', '2', '']);
  });

  test('has its styles inlined, media queries and states kept, and Liquid as it was', async () => {
    const source = `<style>.a { color: {{ data.colour | default: "gray" }} }
      @media (max-width: 9px) { .a { color: lime } }
      a:hover { color: navy }</style><body>{% for l in data.lines %}<p class="a" title="{{ l.n | append: '"' }}">
      <a href="{{ l.url }}" {% if l.n %}id="{{ l.n }}"{% endif %}>{{ l.n }}</a></p>{% endfor %}</body>`;
    const { html } = render(await compile({ source }), variables);
    expect(html).toContain('style="color: red;"');
    expect(html).toMatch(/@media \(max-width: 9px\)/);
    expect(html).toContain('a:hover');
    expect(html).toContain('title="&lt;1&gt;&#34;"');
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" id="&lt;1&gt;" >&lt;1&gt;</a>');
  });

  test('keeps what it assigns in its head for the text, too', async () => {
    const source =
      '<html><head>{% assign greeting = "Hi" %}</head><body><!-- {% if data.no %} -->No<!-- {% endif %} -->{{ greeting }}</body></html>';
    expect(render(await compile({ source }), { member: null, data: { no: false } }).text.trim()).toBe('Hi');
  });

  test('loads nothing: links to style sheets and pictures stay links', async () => {
    const source =
      '<style>p { margin: 0 }</style><link rel="stylesheet" href="file:///etc/passwd"><img src="file:///etc/passwd">';
    const { html } = await compile({ source });
    expect(html).toContain('href="file:///etc/passwd"');
    expect(html).not.toContain('root:');
  });

  test('with two attributes of one name is refused, where one of two branches would be lost', async () => {
    const element = '<p {% if data.a %} class="a > b" {% else %} class="b" {% endif %}>x</p>';
    expect(await refusal(compile({ source: `<style>p { margin: 0 }</style>\n${element}` }))).toMatchObject({
      message:
        'input.source cannot be compiled: at line 2, an element has class twice: put the condition into its value.',
      line: 2,
    });
    expect((await compile({ source: element })).html).toBe(element);
    // Without spaces between them, the parser reads two names and keeps both.
    const close = element.replaceAll('} c', '}c').replaceAll('" {', '"{');
    const { html } = await compile({ source: `<style>i { margin: 0 }</style>${close}` });
    expect(render({ subject: '', html, text: '' }, { member: null, data: { a: 0 } }).html).toMatch(
      /^<p class="a > b" *>x<\/p>$/,
    );
  });

  test('is sent with the text that is given with it', async () => {
    expect((await compile({ text: 'Own {{ data.x }}' })).text).toBe('Own {{ data.x }}');
  });
});

describe('MJML', () => {
  test('is compiled to tables with inlined styles; loops in mj-raw and values in attributes work', async () => {
    const source = mjml(`<mj-raw>{% for l in data.lines %}</mj-raw><mj-text>No. {{ l.n }}</mj-text>
      <mj-button href="{{ l.url }}">Go</mj-button><mj-raw>{% endfor %}</mj-raw>`);
    const { html, text } = render(await compile({ format: 'MJML', source }), variables);
    expect(html).toContain('<!doctype html>');
    expect(html.match(/No\. (&lt;1&gt;|2)/g)).toEqual(['No. &lt;1&gt;', 'No. 2']);
    expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(html).not.toContain('googleapis');
    expect(text.split(/\n+/).filter(Boolean)).toEqual([
      ...['No. <1>', 'Go (https://example.com/?a=1&b=2)', 'No. 2', 'Go (u)'],
    ]);
  });

  test.each([
    ['<mj-text size="1">x</mj-text>', 'at line 2, mj-text: Attribute size is illegal', 2],
    ['\n<mj-foo />', "at line 3, mj-foo: Element mj-foo doesn't exist or is not registered", 3],
    ['<mj-text color="{{ data.c }}">x</mj-text>', 'has invalid value: {{ data.c }} for type Color', 2],
  ])('%s is refused with its line', async (content, sentence, line) => {
    const { code, message, ...details } = await refusal(compile({ format: 'MJML', source: mjml(content) }));
    expect(code).toBe('TEMPLATE_INVALID');
    expect(message).toContain(`input.source cannot be compiled: at line ${line}, `);
    expect(message).toContain(sentence);
    expect(details).toEqual({ field: 'input.source', line });
  });

  test('that is none is refused', async () => {
    expect(await refusal(compile({ format: 'MJML', source: 'hello' }))).toMatchObject({
      message: 'input.source cannot be compiled: at line 1, it must be one mjml element.',
    });
  });

  test.each(['<mj-include path="/etc/passwd" />', '<mj-include path="/etc/passwd" type="html" />'])(
    '%s reads no file',
    async (include) => {
      const { message, line } = await refusal(compile({ format: 'MJML', source: mjml(include) }));
      expect(message).toContain('mj-include is not supported');
      expect(line).toBe(2);
    },
  );

  test('with Liquid where MJML drops it is refused, so that no loop is lost', async () => {
    const source = mjml('  {% for l in data.lines %}<mj-text>x</mj-text>{% endfor %}');
    expect(await refusal(compile({ format: 'MJML', source }))).toMatchObject({
      message:
        'input.source has {% for l in data.lines %} where it would be lost: put it into an mj-raw element, at line 2, column 3.',
      line: 2,
      column: 3,
    });
  });
});

describe('a template', () => {
  test.each([
    ['{{ a', 'output "{{ a" not closed, at line 1, column 1.', 1, 1],
    ['x\n  {{ data.x | upcas }}', 'undefined filter: upcas, at line 2, column 3.', 2, 3],
    ['\n {% if data.x %}', 'tag {% if data.x %} not closed, at line 2, column 2.', 2, 2],
    ['{% foo %}', 'tag "foo" not found, at line 1, column 1.', 1, 1],
    ["{% include 'x' %}", 'tag "include" not found, at line 1, column 1.', 1, 1],
  ])(
    '%j is refused in source, subject and text with line and column',
    async (bad, sentence, line, column) => {
      for (const part of ['source', 'subject', 'text'] as const) {
        const subject = bad.replaceAll('\n', '');
        const given = { [part]: part === 'subject' ? subject : bad };
        const { code, message, ...details } = await refusal(compile(given));
        expect(code).toBe('TEMPLATE_INVALID');
        expect(details.field).toBe(`input.${part}`);
        if (part === 'subject') continue;
        expect(message).toBe(`input.${part} is no valid Liquid template: ${sentence}`);
        expect(details).toMatchObject({ line, column });
      }
    },
  );

  test('may use the names of members, data, links and custom fields, and those that it makes', async () => {
    const source = `{{ member.x }}{{ data.y }}{{ unsubscribe_url }}{{ preferences_url }}{{ favourite_colour }}
      {% assign own = 1 %}{{ own }}{% for i in data.z %}{{ i }}{{ forloop.index }}{% endfor %}`;
    await expect(compile({ source })).resolves.toBeDefined();
    const { message, line, column } = await refusal(
      compile({ source: '<p>\n{{ member.x }} {{ favorite_color }}' }),
    );
    expect(message).toContain('input.source uses the unknown variable favorite_color: use member, data,');
    expect([line, column]).toEqual([2, 19]);
  });

  test('is refused where its parts are empty, too long or not fit for a header', async () => {
    const fieldOf = async (given: Given) => (await refusal(compile(given))).field;
    expect(await fieldOf({ subject: '  ' })).toBe('input.subject');
    expect(await fieldOf({ subject: 'x'.repeat(301) })).toBe('input.subject');
    expect(await fieldOf({ subject: 'a\nBcc: b' })).toBe('input.subject');
    expect(await fieldOf({ source: ' ' })).toBe('input.source');
    expect(await fieldOf({ source: 'ä'.repeat(300_000) })).toBe('input.source');
    expect(await fieldOf({ source: 'a\u0000b' })).toBe('input.source');
    expect(await fieldOf({ text: '' })).toBe('input.text');
  });

  test.each(['<div>', '{% if data.a %}', '{{ data.a'])(
    'of nothing but %s ends with a sentence',
    async (piece) => {
      const source = piece.repeat(30_000);
      expect((await refusal(compile({ source }))).code).toBe('TEMPLATE_INVALID');
    },
  );

  test('that takes too long to compile is given up, and the next is compiled', async () => {
    const work = createMarkupWork({ msMax: 1_500 });
    const given = {
      format: 'HTML',
      text: null,
      fields: { source: 'input.html', text: 'input.html' },
    } as const;
    const compiling = (source: string) => compileSource(owner, { ...given, source }, work);
    const rules = Array.from({ length: 2_000 }, (_, index) => `.a${index} div p { color: red }`).join('');
    const slow = refusal(compiling(`<style>${rules}</style>${'<p>x</p>'.repeat(9_000)}`));
    const next = compiling('<style>p{color:red}</style><p>x</p>');
    expect(await slow).toMatchObject({ code: 'TEMPLATE_INVALID', field: 'input.html' });
    expect((await slow).message).toContain('takes too long');
    expect(await next).toMatchObject({ html: '<p style="color: red;">x</p>' });
  });
});

describe('marketing', () => {
  test('gets a footer with both links before the end of the body, and in the text', async () => {
    const { html, text } = render(await compile({ source: '<body><p>x</p></body>' }, true), variables);
    expect(html).toMatch(/<p>x<\/p><div .*href="U".*href="P".*<\/div><\/body>$/);
    expect(text).toContain('Unsubscribe: U\nPreferences: P');
  });

  test.each(['unsubscribe_url', 'preferences_url'])('that has %s is left as it is', async (name) => {
    const source = `<a href="{{ ${name} }}">Bye</a>`;
    const compiled = await compile({ source }, true);
    expect(compiled.html).toBe(source);
    expect(compiled.text).toBe(`Bye ({{ ${name} }})`);
  });

  test('gets the footer in the MJML and in a text of its own, where they lack a link', async () => {
    const source = mjml('<mj-text>x</mj-text>');
    const compiled = await compile({ format: 'MJML', source, text: 'x' }, true);
    expect(compiled.html).toMatch(/unsubscribe_url.*<\/div><\/body>/);
    expect(compiled.text).toContain('{{ unsubscribe_url }}');
  });
});

test('content of one message is compiled as templates are, whatever the custom fields are', async () => {
  const compiled = await compileInline(owner, {
    subject: 'Hi {{ favourite_colour }}',
    html: '<style>p{color:red}</style><p>{{ data.x }}</p>',
  });
  expect(compiled).toEqual({
    subject: 'Hi {{ favourite_colour }}',
    html: '<p style="color: red;">{{ data.x }}</p>',
    text: '{{ data.x }}',
  });
  expect(await refusal(compileInline(owner, { subject: 'x', html: '{{ a' }))).toMatchObject({
    field: 'input.html',
    code: 'TEMPLATE_INVALID',
  });
});
