import { parseSync, Visitor } from 'oxc-parser';
import { commentBlocks, lineAt, markedLines } from './comments.mjs';

const TITLED = new Set(['it', 'describe', 'context', 'specify']);
const TWO_WORDS = /[a-z]{2,}[,.:;]? +[a-z]/i;
const LUA = /\bredis\.call\(/;

/**
 * The prose of a TypeScript or JavaScript file: comments (of Lua scripts in it too), in tests the titles, elsewhere the
 * texts that people may read. Identifiers and strings of one word are no prose. Throws when the file cannot be parsed.
 * @returns {import('./comments.mjs').Piece[]}
 */
export function proseOfCode(path, source) {
  const { program, comments, errors } = parseSync(path, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const found = comments.map(({ type, value, start }) => ({
    type,
    value,
    line: lineAt(source, start),
    alone: source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '',
  }));
  const strings = isTest(path) ? titlesIn(program, source) : textsIn(program, source);
  return [...commentBlocks(found), ...strings];
}

function isTest(path) {
  return path.startsWith('test/') || path.includes('.test.');
}

function titlesIn(program, source) {
  const pieces = [];
  const note = ({ callee, arguments: [title] }) => {
    const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name;
    if (TITLED.has(name) && isString(title)) pieces.push(piece('title', title, source));
  };
  new Visitor({ CallExpression: note }).visit(program);
  return pieces;
}

function textsIn(program, source) {
  const pieces = [];
  const note = (node) => {
    if (!isString(node)) return;
    if (node.type === 'TemplateLiteral' && LUA.test(source.slice(node.start, node.end))) {
      pieces.push(...markedLines(source.slice(node.start, node.end), '--', lineAt(source, node.start)));
      return;
    }
    const text = piece('text', node, source);
    if (TWO_WORDS.test(text.text)) pieces.push(text);
  };
  const noteJsx = ({ start, value }) => {
    if (/[a-z]/i.test(value)) pieces.push({ kind: 'text', line: lineAt(source, start), text: value });
  };
  new Visitor({ Literal: note, TemplateLiteral: note, JSXText: noteJsx }).visit(program);
  return pieces;
}

function isString(node) {
  if (node === undefined) return false;
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

/** The text as written, so that its lines are those of the file. */
function piece(kind, node, source) {
  const inserted = node.type === 'TemplateLiteral' ? node.expressions : [];
  let text = source.slice(node.start + 1, node.end - 1);
  for (const { start, end } of inserted.toReversed()) {
    const [from, to] = [start - node.start - 1, end - node.start - 1];
    text = text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/g, 'x') + text.slice(to);
  }
  return { kind, line: lineAt(source, node.start), text: text.replaceAll(/\\[nrt]/g, '  ') };
}
