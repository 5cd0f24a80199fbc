import { invalid } from '@loyalty/platform/errors';
import { checkText } from '@loyalty/platform/values/input';
import { checkLiquid } from './check-liquid.ts';

/** What a browser shows; each part is a Liquid template. */
export interface NotificationContent {
  readonly title: string;
  readonly body?: string | null;
  /** Opened by a click. */
  readonly url?: string | null;
  /** Address of a picture. */
  readonly icon?: string | null;
}

/** Characters, as they are written. */
const LENGTHS_MAX = { title: 500, body: 2_000, url: 2_000, icon: 2_000 } as const;

/** The parts of a notification, in the order in which they are checked. */
export const NOTIFICATION_PARTS = ['title', 'body', 'url', 'icon'] as const;

/**
 * Checks the templates of a notification; parts that are empty are left out.
 *
 * @param path - what an error begins with, for example `input.notification`
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming the part, the latter with the place
 */
export function checkNotificationContent(path: string, written: NotificationContent): NotificationContent {
  const parts = NOTIFICATION_PARTS.flatMap((part) => {
    const text = written[part];
    if (part !== 'title' && (text ?? '').trim() === '') return [];
    const checked = checkText(`${path}.${part}`, text ?? '', LENGTHS_MAX[part]);
    checkLiquid(`${path}.${part}`, checked);
    if ((part === 'url' || part === 'icon') && !/^(https?:\/\/|\{\{)/i.test(checked))
      throw invalid(`${path}.${part}`, 'must be a web address, or begin with a variable');
    return [[part, checked] as const];
  });
  return Object.fromEntries(parts) as unknown as NotificationContent;
}
