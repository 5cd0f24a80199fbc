import { useIntl } from 'react-intl';
import type en from './en.json';

export type TextKey = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;

/** A text in the language of the person. */
export function useText(): (key: TextKey, values?: Values) => string {
  const intl = useIntl();
  return (key, values) => intl.formatMessage({ id: key }, values);
}

/** A value of an enum, such as `POINTS_AWARDED`, in the language of the person. */
export function useWord(): (name: string) => string {
  const intl = useIntl();
  return (name) => {
    const id = `word.${name}`;
    return Object.hasOwn(intl.messages, id) ? intl.formatMessage({ id }) : readable(name);
  };
}

/** Returns a constant as words, for values without a translation: “Points awarded” for `POINTS_AWARDED`. */
export const readable = (name: string): string => {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
