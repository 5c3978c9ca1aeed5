import type { Plugin } from 'vite';

/**
 * Moves the links to style sheets behind the body, so that they do not keep the browser from showing the frame (frame.css). Scripts of
 * the type module wait for them, so no page is shown without styles.
 */
export function stylesLast(): Plugin {
  return {
    name: 'sluice-styles-last',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const links = html.match(/<link rel="stylesheet" crossorigin[^>]*>/g) ?? [];
        const rest = links.reduce((left, link) => left.replace(link, ''), html);
        return rest.replace('</body>', `${links.join('\n')}\n</body>`);
      },
    },
  };
}
