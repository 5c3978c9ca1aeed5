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
 * An account for one test file, and the browser of all. What a page complains of, or asks others for, fails the test; and
 * so does a secret in a URL, in a refusal, in a log line or in what is stored.
 */
export interface InBrowser {
  readonly stack: Stack;
  /** A page with the session of somebody, or of nobody. */
  open(path: string, person?: Person, look?: Look): Promise<Page>;
}

const HEIGHT = 900;
/** A limit only for what never comes. */
const WAIT_MS = 90_000;

/**
 * Call inside of `describe`. With settings the file has an installation of its own; without, its account is in that of
 * the run.
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
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      watch(page, stack.url, complaints);
      await page.goto(stack.url + path);
      return page;
    },
  };
}

/** Errors of scripts, broken security policies, requests to anybody else, and secrets where none may be. */
function watch(page: Page, url: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // A refused call is an answer that the page shows; the browser reports it as an error too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`asked ${request.url()}`);
    // What follows # stays in the browser.
    const [sent = ''] = request.url().split('#');
    if (SECRET_SHAPE.test(sent) || /token=/.test(sent)) complaints.push('a secret in the URL of a request');
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    const look = async () => {
      if (SECRET_SHAPE.test(await response.text()))
        complaints.push(`a secret in a refusal of ${response.url()}`);
    };
    // A page that has gone on meanwhile no longer has it.
    look().catch(() => undefined);
  });
}

/** What is on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}
