import { Fragment } from 'react';

/** An email address that breaks after "@" and "-" and before "." only, where the line is long enough for its parts. */
export function EmailText({ text }: { readonly text: string }) {
  return text.split(/(?<=@)|(?=\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
