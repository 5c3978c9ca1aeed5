/**
 * The prose of a page: paragraphs, list items, headings and tables, without code, addresses and HTML. `sentences` marks
 * paragraphs and list items: only these are made of sentences.
 * @returns {import('./comments.mjs').Piece[]}
 */
export function proseOfMarkdown(source) {
  const pieces = [];
  let open;
  withoutBlocks(source)
    .split('\n')
    .forEach((line, index) => {
      const { text, starts, sentences } = lineOf(line);
      if (text === '') open = undefined;
      else if (open !== undefined && !starts) open.text += `\n${text}`;
      else {
        const piece = { kind: 'doc', line: index + 1, text, sentences };
        pieces.push(piece);
        open = sentences ? piece : undefined;
      }
    });
  return pieces;
}

function lineOf(line) {
  const trimmed = line.trim();
  if (/^(?:#{1,6}\s|\|)/.test(trimmed)) {
    return { text: trimmed.replaceAll(/^#+\s*|[|]|:?-{3,}:?/g, ' ').trim(), starts: true, sentences: false };
  }
  const item = /^(?:[-*+]|\d+[.)])\s+/.exec(trimmed);
  return { text: trimmed.slice(item?.[0].length ?? 0), starts: item !== null, sentences: true };
}

/** Fenced code and HTML comments become empty lines: line numbers stay. */
function withoutBlocks(source) {
  return source
    .replaceAll(/^( *)(```+|~~~+).*?^\1\2[^\n]*$/gms, blank)
    .replaceAll(/<!--.*?-->/gs, blank)
    .replaceAll(/\]\([^)\n]*\)/g, ']');
}

function blank(text) {
  return text.replaceAll(/[^\n]/g, '');
}
