import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './code-block.module.css';
import { Icon, Tip } from './icons.tsx';

const SHOWN_MS = 1600;

interface CopyProps {
  /** The exact text, or a function that reads it. */
  readonly text: string | (() => Promise<string>);
  /** The name of the value, as in "Copy endpoint URL". */
  readonly what: string;
}

interface CopyButtonProps extends CopyProps {
  /** Whether the button is near the right edge of the window. */
  readonly atEdge?: boolean;
}

/** A small copy button beside a value. */
export function CopyButton({ text, what, atEdge = false }: CopyButtonProps) {
  const { label, done, copy } = useCopy(text, what);
  return (
    <Tip label={label} atEdge={atEdge}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${what}`} onClick={copy}>
        <Icon name={done ? 'check' : 'copy'} size={16} />
        <span role="status" className="visually-hidden">
          {done ? label : ''}
        </span>
      </ActionIcon>
    </Tip>
  );
}

interface CopiedProps {
  readonly text: string;
  readonly what: string;
  readonly atEdge?: boolean;
}

/** An id or another value as code, with its copy button. */
export function Copied({ text, what, atEdge = false }: CopiedProps) {
  return (
    <span className="line breaks">
      <code>{text}</code>
      <CopyButton text={text} what={what} atEdge={atEdge} />
    </span>
  );
}

interface CopyTextProps extends CopyProps {
  readonly primary?: boolean;
  readonly autoFocus?: boolean;
}

/** A copy button with a text label. */
export function CopyTextButton({ text, what, primary = false, autoFocus = false }: CopyTextProps) {
  const { label, done, copy } = useCopy(text, what);
  return (
    <Button
      autoFocus={autoFocus}
      variant={primary ? 'filled' : 'default'}
      leftSection={<Icon name={done ? 'check' : 'copy'} size={16} />}
      onClick={copy}
    >
      {label}
      <span role="status" className="visually-hidden">
        {done ? '.' : ''}
      </span>
    </Button>
  );
}

function useCopy(text: CopyProps['text'], what: string) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const value = typeof text === 'string' ? text : await text().catch(() => null);
    setResult(value !== null && (await copyText(value)) ? 'copied' : 'failed');
  };
  const label = result === 'copied' ? 'Copied' : result === 'failed' ? 'Not copied' : `Copy ${what}`;
  return { label, done: result === 'copied', copy };
}

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
      {/* biome-ignore lint/a11y/useSemanticElements: a page has several with one name, and none is a landmark. */}
      <div role="group" className={classes.code} data-wrap={wrap} tabIndex={0} aria-label={title ?? what}>
        <pre>{code}</pre>
      </div>
    </div>
  );
}

/** Copies text to the clipboard. Pages without TLS have no clipboard API, so a selected field is copied there. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const focused = document.activeElement;
  // An open dialog traps the focus, so the field goes inside it.
  (document.querySelector('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Downloads text as a file. */
export function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
