import { describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { sentMessage } from '../messages/messages.fixture.ts';
import { readToken } from './link-tokens.ts';
import { linksFor, trackedHtml } from './links.service.ts';

const { services, newContext } = useServices();

const both = { isOpenTracked: true, isClickTracked: true };
const clicksOnly = { isOpenTracked: false, isClickTracked: true };
const base = () => `http://${services.config.HOST}:${services.config.PORT}`;
const hrefs = (html: string) => [...html.matchAll(/href\s*=\s*["']?([^"'\s>]*)/gi)].map(([, href]) => href!);
const tokenIn = (address: string) => /\/[cou]\/([\w-]+)/.exec(address)![1]!;
const read = (token: string) => readToken(services.keyring, token);

describe('the links of a message', () => {
  test('name the address by its index, lead to our pages, and are in the headers of marketing alone', async () => {
    const ctx = newContext();
    const message = await sentMessage(ctx, 'lea@example.com');
    const { unsubscribeUrl, preferencesUrl, headers } = await linksFor(ctx, message);
    expect(unsubscribeUrl).toMatch(new RegExp(`^${base()}/unsubscribe#token=[\\w-]+$`));
    expect(preferencesUrl).toMatch(new RegExp(`^${base()}/preferences#token=[\\w-]+$`));
    expect(headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(new RegExp(`^<${base()}/u/[\\w-]+>$`)),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(await read(tokenIn(headers['List-Unsubscribe']!))).toEqual({
      ...{ kind: 'RECIPIENT', ...ctx.scope, messageId: message.id },
      emailIndex: message.emailIndex,
    });
    expect((await linksFor(ctx, { ...message, category: 'TRANSACTIONAL' })).headers).toEqual({});
  });

  test('stay valid when the keys of the platform change', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const message = await sentMessage(ctx, 'lea@example.com');
    const token = tokenIn((await linksFor(ctx, message)).headers['List-Unsubscribe']!);
    await services.keyring.rotateKey('00000000-0000-0000-0000-000000000000', 'INDEX');
    await ctx.sql.query(
      `UPDATE platform.workspace_keys SET created_at = created_at - interval '1 hour'
        WHERE workspace_id = '00000000-0000-0000-0000-000000000000'`,
    );
    services.keyring.forget();
    expect(tokenIn((await linksFor(ctx, message)).headers['List-Unsubscribe']!)).not.toBe(token);
    expect(await read(token)).toMatchObject({ mode: 'TEST', emailIndex: message.emailIndex });
  });

  test('are refused when one letter of them is changed, taken away or added', async () => {
    const ctx = newContext();
    const message = await sentMessage(ctx, 'lea@example.com');
    const html = await trackedHtml(ctx, '<a href="https://shop.example/">x</a>', message.id, both);
    const links = await linksFor(ctx, message);
    const tokens = [...hrefs(html), links.headers['List-Unsubscribe']!].map(tokenIn);
    for (const token of tokens) {
      expect(await read(token)).not.toBeNull();
      const letter = fc.constantFrom(...'abcxyzABCXYZ0189-_');
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: token.length - 1 }), letter, async (at, other) => {
          fc.pre(token[at] !== other);
          expect(await read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
        }),
        { numRuns: 100 },
      );
      for (const bad of [`${token}A`, token.slice(1), token.slice(0, -1), '', 'x', '🙂', 'A'.repeat(20_000)])
        expect([bad, await read(bad)]).toEqual([bad, null]);
    }
  });
});

describe('a tracked message', () => {
  test('leads over our address to the very targets that it named', async () => {
    const ctx = newContext();
    const { id } = await sentMessage(ctx, 'lea@example.com');
    const targets = {
      'https://shop.example/a?b=1&amp;c=%20d#e': 'https://shop.example/a?b=1&c=%20d#e',
      '  HTTP://Shop.example/x  ': 'http://shop.example/x',
      '&#104;ttps://shop.example/&eacute;': 'https://shop.example/%C3%A9',
      'https://münchen.example/': 'https://xn--mnchen-3ya.example/',
    };
    const html = Object.keys(targets)
      .map((href) => `<a class='b' href="${href}">x</a>`)
      .join('\n');
    const tracked = hrefs(await trackedHtml(ctx, html, id, clicksOnly));
    expect(tracked.every((href) => href.startsWith(`${base()}/c/`))).toBe(true);
    for (const [at, url] of Object.values(targets).entries())
      expect(await read(tokenIn(tracked[at]!))).toEqual({ kind: 'CLICK', ...ctx.scope, messageId: id, url });
  });

  test.each([
    ['a script', '<a href="javascript:alert(1)">x</a>'],
    ['a script behind a character reference', '<a href="&#106;avascript:alert(1)">x</a>'],
    ['data', '<a href="data:text/html,x">x</a>'],
    ['an address', '<a href="mailto:ada@example.com">x</a>'],
    ['a number', '<a href="tel:+351123">x</a>'],
    ['an anchor', '<a href="#top">x</a>'],
    ['a relative path', '<a href="/c/x">x</a>'],
    ['what is no address', '<a href="https://">x</a><a href="http:///%">x</a><a href>x</a><a href="">x</a>'],
    ['a style', '<link href="https://shop.example/a.css"><style>a{b:"<a href=https://x.example>"}</style>'],
    ['a comment', '<!-- <a href="https://shop.example/">x</a> -->'],
    ['another attribute', '<p title="<a href=https://x.example>" data-href="https://x.example">x</p>'],
    [
      'an attribute of a similar name',
      '<a data-href="https://x.example/" hreflang="https://x.example">x</a>',
    ],
    ['a long address', `<a href="https://shop.example/${'x'.repeat(4_000)}">x</a>`],
  ])('leaves %s as it is', async (_, html) => {
    const ctx = newContext();
    expect(await trackedHtml(ctx, html, (await sentMessage(ctx, 'lea@example.com')).id, clicksOnly)).toBe(
      html,
    );
  });

  test('leaves the links with which its recipient unsubscribes and chooses', async () => {
    const ctx = newContext();
    const message = await sentMessage(ctx, 'lea@example.com');
    const { unsubscribeUrl, preferencesUrl } = await linksFor(ctx, message);
    const html = `<a href="${unsubscribeUrl}">a</a><a href='${preferencesUrl}'>b</a><a href=${base()}/u/x>c</a>`;
    expect(await trackedHtml(ctx, html, message.id, clicksOnly)).toBe(html);
  });

  test('keeps everything but the addresses letter by letter, however it is written', async () => {
    const ctx = newContext();
    const { id } = await sentMessage(ctx, 'lea@example.com');
    const part = fc.constantFrom(
      ...[
        '<a href="https://a.example/1">',
        "<A\nHREF = 'https://a.example/2'>",
        '<a href=https://b.example/3>',
      ],
      ...[
        '<!--[if mso]>',
        '<![endif]-->',
        '<area href="https://c.example">',
        '<p title="a>b">',
        '&amp;',
        '</a>',
      ],
      ...['<body>', '</body>', '<', 'é 🙂', '"', "'", '\r\n', '<style>a{}</style>', '<br/>'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const html = parts.join('');
        const tracked = await trackedHtml(ctx, html, id, both);
        const ours = new RegExp(`${base()}/c/[\\w-]+`, 'g');
        let plain = tracked.replace(/<img src="[^"]*\/o\/[\w-]+\.gif"[^>]*>/, '');
        for (const [address] of tracked.matchAll(ours)) {
          const link = await read(tokenIn(address));
          const written = [link?.kind === 'CLICK' ? link.url : '', 'https://c.example'];
          plain = plain.replace(address, written[0] === 'https://c.example/' ? written[1]! : written[0]!);
        }
        expect(plain).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  test('ends with one image before the body ends, and not when openings are not counted', async () => {
    const ctx = newContext();
    const { id } = await sentMessage(ctx, 'lea@example.com');
    const html = '<html><body><p>Hello</p></BODY></html>';
    const tracked = await trackedHtml(ctx, html, id, { isOpenTracked: true, isClickTracked: false });
    const [, token] = /<p>Hello<\/p><img src="[^"]+\/o\/([\w-]+)\.gif"[^>]*><\/BODY><\/html>$/.exec(tracked)!;
    expect(await read(token!)).toEqual({ kind: 'OPEN', ...ctx.scope, messageId: id });
    expect(await trackedHtml(ctx, 'plain', id, both)).toMatch(/^plain<img [^>]+>$/);
    const off = { isOpenTracked: false, isClickTracked: false };
    expect(await trackedHtml(ctx, `${html}<a href="https://x.example">`, id, off)).toBe(
      `${html}<a href="https://x.example">`,
    );
  });

  test('signs a link that stands in it many times once', async () => {
    const ctx = newContext();
    const { id } = await sentMessage(ctx, 'lea@example.com');
    const html = '<a href="https://shop.example/">x</a>'.repeat(50);
    expect(new Set(hrefs(await trackedHtml(ctx, html, id, clicksOnly))).size).toBe(1);
  });
});
