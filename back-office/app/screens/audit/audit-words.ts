import { useIntl } from 'react-intl';
import en from './audit-words.en.json';
import pt from './audit-words.pt.json';

type Words = Readonly<Record<string, string>>;

const texts: Readonly<Record<string, Words>> = { en, pt };

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What mutations did and what types are, in words; of new ones, the name in the graph. */
export function useAuditWords() {
  const { locale } = useIntl();
  const words: Words = texts[locale] ?? en;
  const choices = (start: 'act.' | 'type.'): Choice[] =>
    Object.entries(words)
      .filter(([key]) => key.startsWith(start))
      .map(([key, label]) => ({ value: key.slice(start.length), label }))
      .sort((one, other) => one.label.localeCompare(other.label, locale));
  return {
    actOf: (action: string): string => words[`act.${action}`] ?? action,
    typeOf: (type: string): string => words[`type.${type}`] ?? type,
    acts: choices('act.'),
    types: choices('type.'),
  };
}
