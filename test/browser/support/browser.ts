import type {
  Browser,
  BrowserContext,
  ConsoleMessage,
  Page,
  Request,
  Response,
  WebError,
} from 'playwright-core';
import { SECRET_SHAPE } from '../../support/no-secret.ts';
import {
  type Installation,
  type InstallationSettings,
  sharedInstallation,
  startInstallation,
} from './installation.ts';
import { expectNothingSecretKept } from './nothing-secret.ts';
import { type Look, type TakenPage, takePage } from './page-pool.ts';
import { sharedBrowser } from './shared-browser.ts';
import { addAccount, type Person, type Stack } from './stack.ts';

export type { Look } from './page-pool.ts';

/**
 * An account for one test file, and the shared browser. A script error, or a request to another host, fails the test. So
 * does a secret in a URL, in an error response, in a log line or in a store.
 */
export interface InBrowser {
  readonly stack: Stack;
  /** Opens a page, with the session of a person or without one. */
  open(path: string, person?: Person, look?: Look): Promise<Page>;
}

/**
 * Call inside of `describe`. With settings, the file gets a separate installation. Without them, its account is in the
 * shared installation of the run.
 */
export function useBrowser(settings?: InstallationSettings): InBrowser {
  let own: Installation | undefined;
  let stack: Stack;
  let browser: Browser;
  let opened: (TakenPage & { unwatch(): void })[] = [];
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
    await Promise.all(
      opened.map(async ({ release, unwatch }) => {
        await release();
        unwatch();
      }),
    );
    const said = complaints;
    opened = [];
    complaints = [];
    if (said.length > 0) throw new Error(`the browser complained:\n${said.join('\n')}`);
  });

  return {
    get stack() {
      return stack;
    },
    async open(path, person, look = {}) {
      const taken = await takePage(browser, look);
      const { page, context } = taken;
      opened.push({ ...taken, unwatch: watch(context, stack.url, complaints) });
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=');
        await context.addCookies([{ name, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }]);
      }
      await page.goto(stack.url + path);
      return page;
    },
  };
}

/** Collects script errors, policy violations, requests to other hosts, and leaked secrets. Returns what ends it. */
function watch(context: BrowserContext, url: string, complaints: string[]): () => void {
  const onError = (failure: WebError) => {
    const error = failure.error();
    complaints.push(error.stack ?? error.message);
  };
  const onConsole = (message: ConsoleMessage) => {
    // The browser also reports rejected calls as errors, although the page handles them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  };
  const onRequest = (request: Request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`asked ${request.url()}`);
    // The fragment after # stays in the browser.
    const [sent = ''] = request.url().split('#');
    if (SECRET_SHAPE.test(sent) || /token=/.test(sent)) complaints.push('a secret in the URL of a request');
  };
  const onResponse = (response: Response) => {
    if (response.status() < 400) return;
    const look = async () => {
      if (SECRET_SHAPE.test(await response.text()))
        complaints.push(`a secret in an error response of ${response.url()}`);
    };
    // The body is gone if the page has navigated meanwhile.
    look().catch(() => undefined);
  };
  context
    .on('weberror', onError)
    .on('console', onConsole)
    .on('request', onRequest)
    .on('response', onResponse);
  return () => {
    context
      .off('weberror', onError)
      .off('console', onConsole)
      .off('request', onRequest)
      .off('response', onResponse);
  };
}

/** Returns the text on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}
