import { Fragment } from 'react';
import classes from './email-text.module.css';

/** An email address that breaks after "@" and before "." only, where the line is long enough for its parts. */
export function EmailText({ text }: { readonly text: string }) {
  const isAddress = text.includes('@');
  return text.split(/(?<=@)|(?=\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {isAddress && part.includes('-') ? <span className={classes.part}>{part}</span> : part}
    </Fragment>
  ));
}
