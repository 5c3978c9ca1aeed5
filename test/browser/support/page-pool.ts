import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

export interface TakenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Cleans the page for the next test, or closes it if a test changed it for longer than its visit. */
  release(): Promise<void>;
}

interface PooledPage {
  readonly page: Page;
  readonly context: BrowserContext;
  isChanged: boolean;
}

const HEIGHT = 900;
/** Generous: it only ends a wait that would never succeed. */
const WAIT_MS = 90_000;
const RESTING_PATH = '/favicon.svg';
const CLEANED_WITHIN_MS = 10_000;
/** The effects of these last beyond a visit. A page whose test used one is not used again. */
const LASTING = {
  page: ['addInitScript', 'addLocatorHandler', 'clock', 'exposeFunction', 'on', 'once', 'route'],
  context: ['addInitScript', 'clock', 'exposeFunction', 'newCDPSession', 'route', 'setOffline'],
} as const;

const pools = new WeakMap<Browser, PooledPage[]>();

/**
 * Returns a page with a separate context, without cookies and storage. Another test may have used it before: its process and
 * its cached bundle halve the CPU time of a visit.
 */
export async function takePage(
  browser: Browser,
  { width = 1440, scheme = 'light' }: Look,
): Promise<TakenPage> {
  const pool = pools.get(browser) ?? [];
  pools.set(browser, pool);
  const pooled = pool.pop() ?? (await createPage(browser));
  const { page, context } = pooled;
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme, forcedColors: 'none' });
  pooled.isChanged = false;
  return {
    page,
    context,
    async release() {
      const isClean = !pooled.isChanged && context.pages().length === 1 && (await clean(pooled));
      if (isClean) pool.push(pooled);
      else await context.close();
    },
  };
}

async function createPage(browser: Browser): Promise<PooledPage> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const pooled = { page, context, isChanged: false };
  const noteUse = <T extends object>(of: T, names: readonly (keyof T)[]) => {
    for (const name of names) {
      const value = of[name];
      Object.defineProperty(of, name, {
        get() {
          pooled.isChanged = true;
          return value;
        },
      });
    }
  };
  noteUse(page, LASTING.page);
  noteUse(context, LASTING.context);
  return pooled;
}

async function clean({ page, context }: PooledPage): Promise<boolean> {
  try {
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    // A page of the same origin keeps the process, and polls nothing.
    await page.goto(new URL(RESTING_PATH, page.url()).href, { timeout: CLEANED_WITHIN_MS });
    await page.mouse.move(0, 0);
    await context.clearCookies();
    return true;
  } catch {
    return false;
  }
}
