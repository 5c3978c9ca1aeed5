import classes from './secret-text.module.css';

/** A secret that may be read now: the whole of it, selected by one click. */
export function SecretText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore-start lint/a11y: a field that cannot be changed, but one line may become many, which no <input> can.
    <code className={classes.secret} role="textbox" aria-readonly aria-label={label} tabIndex={0}>
      {text}
    </code>
    // biome-ignore-end lint/a11y: see above.
  );
}
