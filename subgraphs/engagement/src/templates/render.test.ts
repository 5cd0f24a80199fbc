import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type MessageVariables, RenderError, render } from './render.ts';

const variables: MessageVariables = {
  member: { first_name: null, full_name: 'Ada <Lovelace>', points_balance: 7, favourite_colour: 'blue' },
  data: {
    order_number: 'A&1',
    lines: [{ name: '<b>tea</b>', price: 3 }],
    break: 'x\r\nBcc: eve@example.com',
  },
  unsubscribeUrl: 'https://example.com/u?a=1&b=2',
};
const html = (template: string, given: MessageVariables = variables) =>
  render({ subject: 's', html: template, text: '' }, given).html;
const text = (template: string) => render({ subject: 's', html: '', text: template }, variables).text;

/** Returns the error of rendering a template. */
function failure(template: string, part: 'subject' | 'html' | 'text' = 'html'): RenderError {
  try {
    render({ subject: '', html: '', text: '', [part]: template }, variables);
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error(`${template} was rendered`);
}

describe('variables', () => {
  test('print their values, custom fields under their own names and under member', () => {
    expect(html('{{ member.points_balance }} {{ favourite_colour }} {{ member.favourite_colour }}')).toBe(
      '7 blue blue',
    );
    expect(text('{{ unsubscribe_url }}')).toBe('https://example.com/u?a=1&b=2');
  });

  test.each(['{{ member.first_name', '{{ member.unknown', '{{ data.a.b.c', '{{ preferences_url'])(
    '%s | default }} prints the default for null and for what is missing',
    (start) => {
      expect(html(`${start} | default: 'friend' }}`)).toBe('friend');
    },
  );

  test('that are null print nothing, and those that are missing are an error with its place', () => {
    expect(html('[{{ member.first_name }}]')).toBe('[]');
    const { message, line, column, part } = failure('<p>\n  {{ data.missing }}');
    expect({ message, line, column, part }).toEqual({
      message: 'data.missing has no value, at line 2, column 6 of the html.',
      line: 2,
      column: 6,
      part: 'html',
    });
  });

  test('of a member print their defaults where no member is known', () => {
    expect(html("{{ member.first_name | default: 'x' }}", { member: null, data: {} })).toBe('x');
    expect(html('{% if member %}a{% else %}b{% endif %}', { member: null, data: {} })).toBe('b');
    expect(() => html('{{ member.first_name }}', { member: null, data: {} })).toThrow(RenderError);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s of an object is none of them',
    (name) => {
      expect(failure(`{{ data.${name} }}`).message).toContain('has no value');
      expect(failure(`{{ ${name} }}`).message).toContain('has no value');
    },
  );

  test('never change what they were rendered from', () => {
    const member = { n: 1 };
    html('{% increment n %}{% increment member %}{% assign data = 1 %}', { member, data: {} });
    expect(member).toEqual({ n: 1 });
  });
});

describe('output', () => {
  test('is escaped in HTML by every tag that prints, and not in subject and text', () => {
    const escaped = '&lt;b&gt;tea&lt;/b&gt;';
    const name = 'data.lines[0].name';
    expect(html(`{{ ${name} }}`)).toBe(escaped);
    expect(html(`{% echo ${name} %}`)).toBe(escaped);
    expect(html(`{% cycle ${name}, 'x' %}`)).toBe(escaped);
    expect(html(`{% assign a = ${name} %}{{ a }}`)).toBe(escaped);
    expect(html(`{% for line in data.lines %}{{ line.name }}{% endfor %}`)).toBe(escaped);
    expect(html(`<a title="{{ member.full_name }}">`)).toBe('<a title="Ada &lt;Lovelace&gt;">');
    expect(text(`{{ ${name} }}`)).toBe('<b>tea</b>');
  });

  test('is not escaped where a template says raw', () => {
    expect(html('{{ data.lines[0].name | raw }}')).toBe('<b>tea</b>');
  });

  test('of a subject is one line, so that no value adds a header', () => {
    const { subject } = render({ subject: 'Hi {{ data.break }}\u2028!', html: '', text: '' }, variables);
    expect(subject).toBe('Hi x Bcc: eve@example.com !');
  });
});

describe('limits', () => {
  test.each([
    ['a loop of a billion', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['loops within loops', '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ j }}{% endfor %}{% endfor %}'],
    [
      'text that doubles',
      `{% assign s = 'aaaaaaaa' %}{% for i in (1..99) %}{% assign s = s | append: s %}{% endfor %}`,
    ],
    ['a padded date', `{{ '2026-01-01' | date: '%1000000000d' }}`],
  ])('end %s', (_, template) => {
    expect(failure(template).message).toMatch(/takes too long or grows too large|more than/);
  });

  test('end a subject of many characters', () => {
    expect(failure(`{% for i in (1..1000) %}x{% endfor %}`, 'subject').message).toContain('900');
  });

  test.each(['include', 'render', 'layout'])('refuse %s, which would read a file', (tag) => {
    expect(failure(`{% ${tag} '/etc/passwd' %}`).message).toContain('cannot be evaluated');
  });
});

describe('whatever is rendered', () => {
  const name = fc.constantFrom('member', 'data', 'a', 'b', 'size', 'first', '__proto__', 'unsubscribe_url');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
  const filter = fc.constantFrom(
    ...[
      "| default: 'x'",
      '| upcase',
      '| append: data.a',
      '| split: "" | join: "<"',
      '| json',
      '| url_decode',
    ],
    ...[
      '| date: "%Y"',
      '| times: 3',
      '| where: "a", "b"',
      '| first',
      '| unescape',
      '| newline_to_br',
      '| nope',
    ],
    ...[
      '| strip_html',
      '| truncate: 3',
      '| sort',
      '| map: "a"',
      '| base64_decode',
      '| where_exp: "x", data.a',
    ],
  );
  const piece = fc.oneof(
    fc
      .tuple(path, fc.array(filter, { maxLength: 3 }))
      .map(([of, filters]) => `{{ ${of} ${filters.join(' ')} }}`),
    path.map((of) => `{% for x in ${of} %}{{ x }}{% endfor %}`),
    path.map((of) => `{% if ${of} %}{% echo ${of} %}{% endif %}`),
    path.map((of) => `{% capture c %}{{ ${of} }}{% endcapture %}{{ c }}`),
    path.map((of) => `{% tablerow x in ${of} %}{% cycle x, ${of} %}{% endtablerow %}`),
    fc.constantFrom('{%', '}}', '{{', '{% endif %}', '{% raw %}', 'text', '{% increment member %}'),
  );
  const template = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '));
  const value = fc.oneof(
    fc.constantFrom('<img src=x>', '"><i>', '&lt;s&gt;', '%3Cu%3E', 'PGI+', null, 3, true),
    fc.array(fc.constantFrom('<q>', '<r>'), { maxLength: 2 }),
    fc.record({ a: fc.constant('<em>'), b: fc.constant(['<p>']) }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const values = fc.record({ a: value, b: value });

  test('fails with a RenderError only, and lets no markup of a value through', () => {
    fc.assert(
      fc.property(template, template, values, values, (source, subject, member, data) => {
        const given = { member: { ...member, a: '<a>' }, data, unsubscribeUrl: '<u>' };
        try {
          const rendered = render({ subject, html: source, text: source }, given);
          const markup = rendered.html.replace(/<\/?(tr|td)( class="(row|col)\d+")?>/g, '');
          expect(markup).not.toMatch(/[<>]/);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be gone
          expect(rendered.subject).not.toMatch(/[\u0000-\u001f\u2028\u2029]/);
        } catch (error) {
          if (!(error instanceof RenderError)) throw error;
          expect(error.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('shows no values in what it fails with', () => {
    const secret = 'secret ((';
    for (const expression of ['data | where_exp: "x", data.s', 'data[data.s]', 'data.s | base64_decode | x'])
      expect(() => html(`{{ ${expression} }}`, { member: null, data: { s: secret } })).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('secret') }),
      );
  });
});
