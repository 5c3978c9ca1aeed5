import 'virtual:theme-variables.css';
import './theme/mantine.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/layout.css';
import './theme/contrast.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

/** Resolves once the style sheets of the page apply (build/late-styles.ts), or cannot be loaded. */
async function applyStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[media=print]')];
  const arrived = (link: HTMLLinkElement) =>
    link.sheet ?? new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }));
  await Promise.all(links.map(arrived));
  for (const link of links) link.media = 'all';
}

void applyStyles().then(() => {
  createRoot(document.getElementById('root') as HTMLElement).render(<App />);
});
