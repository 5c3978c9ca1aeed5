#!/usr/bin/env bash
# React keeps a placeholder for 300 ms, although the component was there after 5.
#
# Expected: `lazy` in `Suspense` shows a component as soon as its code is there.
# Instead: once the fallback is on the page, React delays the component until 300 ms have passed, against flicker.
#   Code that arrives after 350 ms is shown at once.
# Version: react and react-dom 19.3.1 (the newest), with jsdom 26.1.0. Date: 2026-11-27.
# Hurts: pages split into chunks: on a fast network each first visit takes 300 ms instead of 5.
# In our code: services/dashboard/src/ui/on-demand.tsx loads chunks without Suspense.
# Usage: findings/react-suspense-fallback.sh [version of react]
set -euo pipefail
version=${1:-19.3.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "react@$version" "react-dom@$version" jsdom@26.1.0

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { JSDOM } = require('jsdom');

global.window = new JSDOM('', { pretendToBeVisual: true }).window;
global.document = window.document;
const { createElement, lazy, Suspense, version } = require('react');
const { createRoot } = require('react-dom/client');

/** Milliseconds until the page is visible, if its code arrives after `codeMs`. */
async function shownAfter(codeMs) {
  const element = document.createElement('div');
  const root = createRoot(element);
  const Page = lazy(() => sleep(codeMs, { default: () => createElement('p', null, 'the page') }));
  const began = performance.now();
  root.render(createElement(Suspense, { fallback: 'wait' }, createElement(Page)));
  for (;;) {
    const page = element.querySelector('p');
    if (page !== null && page.style.display !== 'none') break;
    await sleep(1);
  }
  const took = Math.round(performance.now() - began);
  root.unmount();
  await sleep(500); // Separates the runs: React counts from the last fallback.
  console.log(`react ${version}: code after ${codeMs} ms, page after ${took} ms`);
  return took;
}

(async () => {
  await shownAfter(5); // The first one also loads React itself.
  const soon = await shownAfter(5);
  const later = await shownAfter(350);
  assert.ok(soon >= 290, 'the page is shown when its code is there');
  assert.ok(later < 450, 'the page is shown later');
  process.exit();
})();
EOF
NODE_ENV=production node look.cjs
