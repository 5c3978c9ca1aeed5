/** An event has about fifty tokens. The 250,000 tokens that fit into a request would take a fifth of a second. */
const MAX_TOKENS = 10_000;

/**
 * Finds where a text stops being JSON: "line 3, column 5", or the place before it. Call it only after JSON.parse has rejected
 * the text. V8's own message differs between versions of Node, often has no position, and repeats parts of the body.
 */
export function locateJsonError(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const { at, found } = firstErrorIn(text);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return `${found ? '' : 'behind '}line ${line}, column ${column}`;
}

// The tokens of RFC 8259. Any other text is the error. This is our own code because the parser of jsonc-parser 3
// calls itself for each level of nesting: 10,000 tokens can nest deeper than the stack.
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string may not hold them (RFC 8259, section 7)
  /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const SPACE = /[ \t\n\r]*/y;

/** The tokens that may follow. `first` is a value or key right after its opening bracket, where a closing one may follow too. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma or end';

/** The index of the first character that JSON does not allow there, or the length if the text only ends too early. */
function firstErrorIn(text: string): { readonly at: number; readonly found: boolean } {
  const open: ('{' | '[')[] = [];
  let expected: Expected | undefined = 'value';
  let at = 0;
  for (let tokens = 0; at < text.length; tokens++) {
    if (tokens === MAX_TOKENS) return { at, found: false };
    const start = matchEnd(SPACE, text, at);
    TOKEN.lastIndex = at;
    const [, mark, string] = TOKEN.exec(text) ?? [undefined, undefined, undefined];
    if (TOKEN.lastIndex === 0 || expected === undefined) return { at: start, found: true };
    const next: Expected | 'end' | undefined = step(
      expected,
      mark ?? (string === undefined ? 'scalar' : 'string'),
      open,
    );
    if (next === undefined) return { at: start, found: true };
    at = TOKEN.lastIndex;
    expected = next === 'end' ? undefined : next;
  }
  return { at: text.length, found: true };
}

function step(expected: Expected, token: string, open: ('{' | '[')[]): Expected | 'end' | undefined {
  const inside = open.at(-1);
  if (token === '}' || token === ']') {
    const fits = inside === (token === '}' ? '{' : '[');
    const closable =
      expected === 'comma or end' || expected === (token === '}' ? 'first key' : 'first value');
    if (!fits || !closable) return undefined;
    open.pop();
    return open.length === 0 ? 'end' : 'comma or end';
  }
  switch (expected) {
    case 'value':
    case 'first value':
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first key' : 'first value';
      }
      if (token !== 'string' && token !== 'scalar') return undefined;
      return inside === undefined ? 'end' : 'comma or end';
    case 'key':
    case 'first key':
      return token === 'string' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      if (token !== ',') return undefined;
      return inside === '{' ? 'key' : 'value';
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.exec(text);
  return pattern.lastIndex;
}
