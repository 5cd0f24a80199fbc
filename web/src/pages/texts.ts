import type { Texts } from './page-texts.ts';
import { english } from './texts.en.ts';
import { portuguese } from './texts.pt.ts';

const languages: readonly Texts[] = [english, portuguese];

/** The first language of `Accept-Language` that there is, by its weights; English where there is none. */
export function textsFor(acceptLanguage: string | undefined): Texts {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      return { language: tag.split('-', 1)[0]!, weight };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const found = wanted.flatMap(({ language }) => languages.filter((each) => each.language === language));
  return found[0] ?? english;
}
