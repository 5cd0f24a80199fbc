import { expect } from '@jest/globals';
import { createStack, type Stack } from '../harness/stack.ts';
import { startBrowser, type Visit, type VisitOptions, visit } from './browser.ts';

/** The product with a workspace that has an enrolment form, and a browser for its pages. */
export interface Site {
  readonly stack: Stack;
  readonly owner: Awaited<ReturnType<Stack['signUp']>>;
  /** The secret of a key with every scope. */
  readonly key: string;
  readonly form: { readonly url: string; readonly token: string };
  /** Runs an operation as the owner; its root field is called `answer`. */
  admin<Answer>(query: string, variables?: object): Promise<Answer>;
  /** Opens a link, with the port of this test's product. */
  open(link: string, options?: VisitOptions): Promise<Visit>;
  /**
   * Closes all visits, and expects no request to another origin, no breach of the policy and no error in the
   * console.
   */
  endVisits(): Promise<void>;
  close(): Promise<void>;
}

export async function createSite(): Promise<Site> {
  const [stack, browser] = [await createStack(), await startBrowser()];
  const owner = await stack.signUp('Ada Owner');
  const { secret: key } = await stack.key(owner.token);
  await stack.work();
  const visits: Visit[] = [];
  const admin = async <Answer>(query: string, variables: object = {}): Promise<Answer> => {
    const { data, errors } = await stack.graph<{ answer: Answer }>(query, variables, owner.token);
    expect(errors).toBeUndefined();
    return data.answer;
  };
  return {
    ...{ stack, owner, key, admin },
    form: await admin(
      'mutation { answer: createEnrollmentForm(input: { name: "Till", source: QR }) { url token } }',
    ),
    async open(link, options) {
      const { pathname, search, hash } = new URL(link, stack.url);
      const opened = await visit(browser, `${stack.url}${pathname}${search}${hash}`, options);
      visits.push(opened);
      return opened;
    },
    async endVisits() {
      const ended = visits.splice(0);
      await Promise.all(ended.map(({ close }) => close()));
      for (const { complaints, foreign } of ended) expect([complaints, foreign]).toEqual([[], []]);
    },
    async close() {
      await browser.close();
      await stack.close();
    },
  };
}

export const heading = ({ page }: Visit, text: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name: text }).waitFor();

export const press = ({ page }: Visit): Promise<void> => page.locator('form button[type="submit"]').click();
