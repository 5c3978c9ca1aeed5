/** Styles of the reference pages. Light or dark follows the reader's system. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee6, #343b46); --soft: light-dark(#f4f6f9, #1c2129); --accent: light-dark(#0b5cad, #7ab8ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; background: light-dark(#fff, #14181e); color: light-dark(#1b2430, #e6e9ee); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { padding: 1rem; overflow-x: auto; }
.method { background: var(--accent); color: light-dark(#fff, #14181e); border-radius: 4px; padding: 0.15em 0.5em; font-size: 0.8em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); }
`;
