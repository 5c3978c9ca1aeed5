import type { Page, Route } from 'playwright-core';

export interface Held {
  /** Resolves once a request is held. */
  readonly asked: Promise<void>;
  /** Lets all held requests go on, and those after them. Resolves once each held one has its response. */
  release(): Promise<void>;
}

/** Holds the requests of a page to a path, as a slow server does. */
export async function hold(page: Page, path: string, method: string): Promise<Held> {
  const held: Route[] = [];
  let isHeld = true;
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (!isHeld || route.request().method() !== method) return route.fallback();
      held.push(route);
      onAsked();
    },
  );
  return {
    asked,
    async release() {
      isHeld = false;
      await Promise.all(
        held.map(async (route) => {
          await route.continue();
          await (await route.request().response())?.finished();
        }),
      );
    },
  };
}
