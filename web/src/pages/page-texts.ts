/** A heading and a sentence below it. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** What a page with something to confirm or to fill in says. */
interface PageTexts {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly done: Notice;
  /** Shown when the link was used or has expired: why, and what to do. */
  readonly invalid: Notice;
}

/** One input: its label, and the rule that is shown with it and when it is broken. */
interface FieldTexts {
  readonly label: string;
  readonly rule?: string;
}

/** Everything that the pages say in one language. */
export interface Texts {
  readonly language: string;
  readonly pages: Readonly<Record<PageName, PageTexts>>;
  readonly fields: Readonly<Record<FieldName, FieldTexts>>;
  readonly consents: Readonly<Record<string, string>>;
  readonly consentsTitle: string;
  readonly optional: string;
  readonly noScript: string;
  readonly preferences: {
    /** The button that withdraws every consent. */
    readonly everything: string;
    /** The link to the choices. */
    readonly more: string;
  };
  /** A link of a message that was changed or cut. */
  readonly brokenLink: Notice;
  /** A link to a file that is too old, or whose file is gone. */
  readonly oldDownload: Notice;
  /** A link of a message that cannot be checked now. */
  readonly later: Notice;
  /** An ambassador's code whose workspace has no form to join by. */
  readonly noForm: Notice;
  /** The page could not be loaded. */
  readonly unreachable: Notice;
  readonly retry: string;
  /** The link to signing in to the back office. */
  readonly toApp: string;
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
  | 'sign-in'
  | 'unsubscribe'
  | 'preferences';

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
type MessageName =
  | 'loading'
  | 'working'
  | 'offline'
  | 'failed'
  | 'tooMany'
  | 'required'
  | 'invalid'
  | 'saved'
  | 'knownAccount'
  | 'newAccount'
  | 'mailIsFinal'
  | 'unsubscribed'
  | 'weakPassword'
  | 'wrongPassword'
  | 'wrongCode';
