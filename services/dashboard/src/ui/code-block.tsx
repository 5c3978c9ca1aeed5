import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  readonly what: string;
  readonly title?: string;
  /** Wraps long lines instead of letting them scroll. */
  readonly wrap?: boolean;
}

export function CodeBlock({ code, what, title, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        <span>{title}</span>
        <CopyButton text={code} what={what} atEdge />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section className={classes.code} data-wrap={wrap} tabIndex={0} aria-label={title ?? what}>
        <pre>{code}</pre>
      </section>
    </div>
  );
}
