/** The JSON of a body, or its text if it is none: a proxy in between responds with a page. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
