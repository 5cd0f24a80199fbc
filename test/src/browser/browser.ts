import { mkdirSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * Starts the installed browser without its own background requests, so that only the product gets requests.
 *
 * @param options.hasNotifications - true: the full browser, which shows notifications; default: the
 *   headless shell, which shows none and is faster
 */
export const startBrowser = ({ hasNotifications = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath:
      (!hasNotifications && process.env['CHROMIUM_SHELL_PATH']) ||
      (process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'),
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });

export interface Visit {
  readonly page: Page;
  /** Warnings and errors of the console, breaches of the Content-Security-Policy included. */
  readonly complaints: string[];
  /** Requests to other origins than that of the product. */
  readonly foreign: string[];
  /** The operations that the page sent to the graph: the last part of each address. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
  /** Width of the screen in pixels. Default: 320. */
  readonly width?: number;
  /** Whether animations are off, so that a dialog is complete at once. Default: false. */
  readonly isStill?: boolean;
}

/** How long a page may take for what a test waits for: a busy machine is slow. */
const WAIT_MS = 60_000;

/** Opens an address on a phone with a new browser profile. */
export async function visit(browser: Browser, address: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 320, height: 640 },
    locale: options.locale ?? 'en-GB',
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: options.isStill ? 'reduce' : 'no-preference',
  });
  context.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  const foreign: string[] = [];
  const asked: string[] = [];
  await context.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy', violatedDirective, blockedURI));`,
  });
  const page = await context.newPage();
  // The listener must exist from the start: without it Chromium opens a file chooser of its own.
  page.on('filechooser', () => {});
  page.on('console', (message) => {
    // The browser logs every 4xx answer as an error. That is expected: the page explains it to the user.
    const isAnswer =
      message.text().startsWith('Failed to load resource') &&
      /\/(pages\/|app\/session|graphql$|docs\/nothing$)/.test(message.location().url);
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const { origin } = new URL(address);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin) foreign.push(request.url());
    if (request.method() !== 'GET') asked.push(url.pathname.split('/').at(-1)!);
  });
  await page.goto(address);
  return { page, complaints, foreign, asked, close: () => context.close() };
}

/** Saves a screenshot in the folder that BROWSER_PICTURES names, if it is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['BROWSER_PICTURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Whether the page is not wider than the screen. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth');

/** The lowest contrast of the visible text with its background. WCAG requires 4.5 for small text. */
export const leastContrast = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const parts = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
    const luminance = (color) => {
      const [r, g, b] = parts(color).map((each) => {
        const part = each / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      const color = getComputedStyle(element).backgroundColor;
      return parts(color)[3] === 0 && element.parentElement ? behind(element.parentElement) : color;
    };
    const shown = [...document.querySelectorAll('h1, p, label, legend, span, button, input')].filter(
      (element) => element.checkVisibility() && (element.textContent.trim() !== '' || element.matches('input')),
    );
    return Math.min(...shown.map((element) => {
      const colors = [getComputedStyle(element).color, behind(element)];
      const [light, dark] = colors.map(luminance).sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    }));
  })()`);
