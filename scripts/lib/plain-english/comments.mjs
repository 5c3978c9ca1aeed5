/**
 * Comments as prose. A piece of prose keeps the line breaks of its source, so that a miss in it has a line number.
 * @typedef {{ kind: 'comment' | 'doc' | 'text' | 'title', line: number, text: string, sentences?: boolean }} Piece
 */

const TOOL_DIRECTIVE = /^\s*(?:biome-ignore\S*(?:\s+\S+?:)?|@ts-\S+|v8 ignore\b.*|#__\w+__|\/\s*<.*)/;

/**
 * Joins line comments on consecutive lines into blocks.
 * @param {{ type: 'Line' | 'Block', value: string, line: number, alone: boolean }[]} comments in the order of the file;
 *   `alone`: no code stands before it on its line
 * @returns {Piece[]}
 */
export function commentBlocks(comments) {
  const blocks = [];
  let open;
  for (const { type, value, line, alone } of comments) {
    const text = type === 'Block' ? withoutStars(value) : cleaned(value);
    const follows = open !== undefined && type === 'Line' && alone && line === open.next;
    if (follows) {
      open.piece.text += `\n${text}`;
      open.next += 1;
    } else {
      const piece = { kind: 'comment', line, text };
      blocks.push(piece);
      open = type === 'Line' && alone ? { piece, next: line + 1 } : undefined;
    }
  }
  return blocks;
}

/** Comments that begin with a marker and end with the line: `#` of YAML, `--` of Lua. Only those alone on their line. */
export function markedLines(source, marker, firstLine = 1) {
  const comments = source.split('\n').flatMap((text, index) => {
    const trimmed = text.trimStart();
    if (!trimmed.startsWith(marker)) return [];
    return [{ type: 'Line', value: trimmed.slice(marker.length), line: firstLine + index, alone: true }];
  });
  return commentBlocks(comments);
}

export function cssComments(source) {
  return [...source.matchAll(/\/\*(.*?)\*\//gs)].map(({ 1: value, index }) => ({
    kind: 'comment',
    line: lineAt(source, index),
    text: withoutStars(value),
  }));
}

/** The number of the line that holds this offset, from 1. */
export function lineAt(source, offset) {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line += 1;
  return line;
}

function withoutStars(value) {
  const lines = value.split('\n').map((line) => cleaned(line.replace(/^\s*\*/, '')));
  return lines.join('\n').trimEnd();
}

function cleaned(line) {
  return line.replace(TOOL_DIRECTIVE, '').trim();
}
