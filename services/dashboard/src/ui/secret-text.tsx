import classes from './secret-text.module.css';

/** Shows a secret. One click selects all of it. */
export function SecretText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore-start lint/a11y: a read-only field that may wrap, which an <input> cannot.
    <code className={classes.secret} role="textbox" aria-readonly aria-label={label} tabIndex={0}>
      {text}
    </code>
    // biome-ignore-end lint/a11y: see above.
  );
}
