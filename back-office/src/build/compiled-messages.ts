import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

const MESSAGES = /\/app\/messages\/[\w.]+\.json$/;

/** Parses the texts at build time, so that browsers load no parser. */
export const compiledMessages = (): Plugin => ({
  name: 'compiled-messages',
  enforce: 'pre',
  transform(code, id) {
    if (!MESSAGES.test(id)) return null;
    const texts = Object.entries(JSON.parse(code) as Record<string, string>);
    const compiled = texts.map(([key, text]) => [key, parse(text, { captureLocation: false })]);
    return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
  },
});
