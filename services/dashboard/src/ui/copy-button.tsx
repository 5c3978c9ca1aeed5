import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from './clipboard.ts';
import { Icon } from './icons.tsx';
import { Tip } from './tip.tsx';

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
