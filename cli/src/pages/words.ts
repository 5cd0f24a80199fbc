import { english } from './words.en.ts';
import { portuguese } from './words.pt.ts';

/** A heading and a sentence below it. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** What a page with something to confirm or to fill in says. */
export interface PageWords {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly done: Notice;
  /** Where its link is of no use any more: why, and what to do. */
  readonly invalid: Notice;
}

/** One input: its label, and the rule that is shown with it and when it is broken. */
export interface FieldWords {
  readonly label: string;
  readonly rule?: string;
}

/** Everything that the pages say in one language. */
export interface Words {
  readonly language: string;
  readonly pages: Readonly<Record<PageName, PageWords>>;
  readonly fields: Readonly<Record<FieldName, FieldWords>>;
  readonly consents: Readonly<Record<string, string>>;
  readonly consentsTitle: string;
  readonly optional: string;
  readonly noScript: string;
  /** An ambassador's code whose workspace has no form to join by. */
  readonly noForm: Notice;
  /** The page could not be loaded. */
  readonly unreachable: Notice;
  readonly retry: string;
  readonly wallet: { readonly done: Notice; readonly cancelled: Notice };
  /** For the script. */
  readonly messages: Readonly<Record<MessageName, string>>;
}

export type PageName =
  | 'enrol'
  | 'confirm-enrollment'
  | 'confirm-email'
  | 'reset-password'
  | 'invitation'
  | 'unsubscribe';

export type FieldName =
  | 'email'
  | 'fullName'
  | 'phone'
  | 'birthOn'
  | 'referralCode'
  | 'newPassword'
  | 'name'
  | 'password';

/** `{seconds}` is filled in by the script. */
export type MessageName =
  | 'loading'
  | 'working'
  | 'offline'
  | 'failed'
  | 'tooMany'
  | 'required'
  | 'invalid'
  | 'weakPassword'
  | 'wrongPassword'
  | 'wrongCode';

const languages: readonly Words[] = [english, portuguese];

/** The first language of `Accept-Language` that there is, by its weights; English where there is none. */
export function wordsFor(acceptLanguage: string | undefined): Words {
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
