import { useEffect, useState, useSyncExternalStore } from 'react';
import { loadPart } from '../graph/connection.ts';
import { createSignal } from '../graph/signal.ts';
import enTexts from './en.json';
import enWords from './words.en.json';

const en: Record<string, string> = { ...enTexts, ...enWords };

const KEPT = 'loyalty-language';
export const languages = { en: 'English', pt: 'Português' } as const;
export type Language = keyof typeof languages;

const isLanguage = (name: string | undefined | null): name is Language => name === 'en' || name === 'pt';

const choices = createSignal();
const read = (): Language => {
  const kept = localStorage.getItem(KEPT);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
};
let current = read();

export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
  current = language;
  choices.send();
}

/** The locale for dates and numbers: that of the browser, if it has the same language. */
const formatsOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language) ?? { en: 'en-GB', pt: 'pt-PT' }[language];

interface ChosenLanguage {
  readonly locale: Language;
  /** A tag such as `pt-BR`. */
  readonly formats: string;
  readonly messages: Record<string, string>;
}

/** The chosen language. Default: that of the browser. Its texts are loaded on demand. */
export function useLanguage(): ChosenLanguage {
  const locale = useSyncExternalStore(choices.listen, () => current);
  const [texts, setTexts] = useState<{ locale: Language; messages: Record<string, string> }>({
    locale: 'en',
    messages: en,
  });
  useEffect(() => {
    document.documentElement.lang = locale;
    if (locale === 'en') setTexts({ locale, messages: en });
    else void readPortuguese().then((messages) => setTexts({ locale, messages }));
  }, [locale]);
  return { ...texts, formats: formatsOf(texts.locale) };
}

async function readPortuguese(): Promise<Record<string, string>> {
  const [texts, words] = await loadPart(() => Promise.all([import('./pt.json'), import('./words.pt.json')]));
  return { ...texts.default, ...words.default };
}
