import { pageScript, pageStyle } from './page-assets.ts';
import type { FieldName, Notice, PageName, Texts } from './page-texts.ts';

interface Input {
  readonly name: FieldName;
  readonly type: string;
  readonly autocomplete: string;
  readonly isRequired?: boolean;
}

/** The inputs of each page; which of the sign-up form's are shown, the graph says. */
const inputs: Readonly<Record<PageName, readonly Input[]>> = {
  enrol: [
    { name: 'email', type: 'email', autocomplete: 'email' },
    { name: 'fullName', type: 'text', autocomplete: 'name' },
    { name: 'phone', type: 'tel', autocomplete: 'tel' },
    { name: 'birthOn', type: 'date', autocomplete: 'bday' },
    { name: 'referralCode', type: 'text', autocomplete: 'off' },
  ],
  'confirm-enrollment': [],
  'confirm-email': [],
  'reset-password': [
    { name: 'newPassword', type: 'password', autocomplete: 'new-password', isRequired: true },
  ],
  invitation: [
    { name: 'name', type: 'text', autocomplete: 'name', isRequired: true },
    { name: 'password', type: 'password', autocomplete: 'current-password', isRequired: true },
  ],
  'sign-in': [],
  unsubscribe: [],
  preferences: [],
};

/** A page that does something when its button is pressed: by the script, which shows one state at a time. */
export function actionPage(name: PageName, texts: Texts): string {
  const { title, text, submit, done, invalid } = texts.pages[name];
  const fields = inputs[name].map((input) => fieldHtml(input, texts)).join('');
  const consents = name === 'enrol' || name === 'preferences' ? consentsHtml(texts) : '';
  const extra = name === 'preferences' ? everythingHtml(texts) : '';
  const states = `
    <p id="status" role="status"></p>
    <section data-state="ready" hidden>
      ${heading(title)}
      <p data-text>${escaped(text)}</p>
      <form novalidate>
        ${fields}${consents}
        <p class="error" role="alert" data-alert hidden></p>
        <button type="submit">${escaped(submit)}</button>${extra}
      </form>
    </section>
    ${noticeHtml('done', done, signsIn(name) ? texts.toApp : '')}
    ${name === 'unsubscribe' ? preferencesHtml(texts) : ''}
    ${noticeHtml('invalid', invalid)}
    <section data-state="unreachable" hidden>
      ${heading(texts.unreachable.title)}
      <p>${escaped(texts.unreachable.text)}</p>
      <button type="button" data-retry>${escaped(texts.retry)}</button>
    </section>
    <noscript><p>${escaped(texts.noScript)}</p></noscript>`;
  const attributes = `data-page="${name}" data-messages="${escaped(JSON.stringify(texts.messages))}"`;
  return document(plain(title), texts, states, attributes);
}

/** A page that only says something. */
export const noticePage = ({ title, text }: Notice, texts: Texts): string =>
  document(title, texts, `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>`);

function document(title: string, { language }: Texts, content: string, attributes = ''): string {
  const script = attributes ? `<script type="module" src="${pageScript.address}"></script>` : '';
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="${pageStyle.address}" />
    ${script}
  </head>
  <body>
    <main ${attributes}>${content}
    </main>
  </body>
</html>
`;
}

const plain = (title: string): string => title.replace(/\s*\{workspace\}/, '');

/** Focus goes here when the state of a page changes. */
const heading = (title: string): string =>
  `<h1 tabindex="-1">${escaped(title).replace('{workspace}', '<span data-workspace></span>')}</h1>`;

const noticeHtml = (state: string, { title, text }: Notice, toApp = ''): string => {
  const link = toApp && `<p><a href="/app/">${escaped(toApp)}</a></p>`;
  return `<section data-state="${state}" hidden>${heading(title)}<p>${escaped(text)}</p>${link}</section>`;
};

/** After these pages a person of the team signs in. */
const signsIn = (name: PageName): boolean => name === 'invitation' || name === 'reset-password';

function fieldHtml({ name, type, autocomplete, isRequired }: Input, texts: Texts): string {
  const { label, rule } = texts.fields[name];
  const hidden = isRequired ? ' hidden' : '';
  const optional = `<span class="optional" data-optional${hidden}> (${escaped(texts.optional)})</span>`;
  return `
        <div class="field" data-field="${name}">
          <label for="${name}">${escaped(label)}${optional}</label>
          <p class="rule" id="${name}-rule">${escaped(rule ?? '')}</p>
          <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
            aria-describedby="${name}-rule ${name}-error"${isRequired ? ' required' : ''} />
          <p class="error" id="${name}-error" hidden></p>
        </div>`;
}

const consentsHtml = ({ consents, consentsTitle }: Texts): string => `
        <fieldset><legend>${escaped(consentsTitle)}</legend>${Object.entries(consents)
          .map(
            ([purpose, label]) => `
          <label class="consent" data-consent="${purpose}">
            <input type="checkbox" name="consents" value="${purpose}" /> <span>${escaped(label)}</span>
          </label>`,
          )
          .join('')}
        </fieldset>
        <p class="rule" data-final></p>`;

/** The button that withdraws every consent, and where the page says that it saved. */
const everythingHtml = ({ preferences }: Texts): string => `
        <button type="button" class="second" data-everything>${escaped(preferences.everything)}</button>
        <p class="saved" role="status" data-saved></p>`;

/** The way from the unsubscribe page to the choices; the script completes its address. */
const preferencesHtml = ({ preferences }: Texts): string => `
    <p data-more hidden><a>${escaped(preferences.more)}</a></p>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
