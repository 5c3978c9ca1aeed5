import type { Plugin } from 'vite';

/**
 * Marks the style sheets of the page as those for paper, so that a slow network shows the frame (public/frame.css) before they have arrived.
 * main.tsx uses them on screens too, before it renders. They keep their place: those of later chunks must come after them.
 */
export function lateStyles(): Plugin {
  return {
    name: 'sluice-late-styles',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll(
          '<link rel="stylesheet" crossorigin',
          '<link rel="stylesheet" media="print" crossorigin',
        ),
    },
  };
}
