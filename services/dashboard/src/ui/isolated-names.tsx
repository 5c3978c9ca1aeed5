import type { ReactNode } from 'react';

/** From the first opening quotation mark to the last closing one, because a name may have quotation marks too. */
const QUOTED = /^(.*?“)(.*)(”.*)$/su;

/** Ends an isolate, also that of the element around it. */
const ENDS_ISOLATE = /\u2069/g;

/**
 * A title with its quoted name in an isolate. Without it, characters of a name that set the direction of writing, such as U+202E,
 * would reorder the words around it.
 */
export function isolateName(title: string): ReactNode {
  const [, before, name, after] = QUOTED.exec(title) ?? [];
  if (name === undefined) return title;
  return (
    <>
      {before}
      <bdi>{name.replace(ENDS_ISOLATE, '')}</bdi>
      {after}
    </>
  );
}
