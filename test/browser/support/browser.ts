import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SECRET_SHAPE } from '../../support/no-secret.ts';
import {
  type Installation,
  type InstallationSettings,
  sharedInstallation,
  startInstallation,
} from './installation.ts';
import { expectNothingSecretKept } from './nothing-secret.ts';
import { sharedBrowser } from './shared-browser.ts';
import { addAccount, type Person, type Stack } from './stack.ts';

export interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/**
 * An account for one test file, and the shared browser. A script error, or a request to another host, fails the test. So
 * does a secret in a URL, in an error response, in a log line or in a store.
 */
export interface InBrowser {
  readonly stack: Stack;
  /** Opens a page, with the session of a person or without one. */
  open(path: string, person?: Person, look?: Look): Promise<Page>;
}

const HEIGHT = 900;
/** Generous: it only ends a wait that would never succeed. */
const WAIT_MS = 90_000;

/**
 * Call inside of `describe`. With settings, the file gets a separate installation. Without them, its account is in the
 * shared installation of the run.
 */
export function useBrowser(settings?: InstallationSettings): InBrowser {
  let own: Installation | undefined;
  let stack: Stack;
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];

  const newStack = async () => {
    if (settings === undefined) return addAccount(await sharedInstallation());
    own = await startInstallation(settings);
    return addAccount(own);
  };
  before(async function () {
    this.timeout(240_000);
    [stack, browser] = await Promise.all([newStack(), sharedBrowser()]);
  });
  after(async () => {
    try {
      if (stack !== undefined) await expectNothingSecretKept(stack);
    } finally {
      await own?.stop();
    }
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    const said = complaints;
    contexts = [];
    complaints = [];
    if (said.length > 0) throw new Error(`the browser complained:\n${said.join('\n')}`);
  });

  return {
    get stack() {
      return stack;
    },
    async open(path, person, { width = 1440, scheme = 'light' } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme: scheme,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      contexts.push(context);
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=');
        await context.addCookies([{ name, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }]);
      }
      context.setDefaultTimeout(WAIT_MS);
      const page = await context.newPage();
      watch(page, stack.url, complaints);
      await page.goto(stack.url + path);
      return page;
    },
  };
}

/** Collects script errors, policy violations, requests to other hosts, and leaked secrets. */
function watch(page: Page, url: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // The browser also reports rejected calls as errors, although the page handles them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`asked ${request.url()}`);
    // The fragment after # stays in the browser.
    const [sent = ''] = request.url().split('#');
    if (SECRET_SHAPE.test(sent) || /token=/.test(sent)) complaints.push('a secret in the URL of a request');
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    const look = async () => {
      if (SECRET_SHAPE.test(await response.text()))
        complaints.push(`a secret in an error response of ${response.url()}`);
    };
    // The body is gone if the page has navigated meanwhile.
    look().catch(() => undefined);
  });
}

/** Returns the text on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}
