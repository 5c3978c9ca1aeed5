import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 250;

/**
 * The text of a field whose value is in the address. It calls `onChange` after a pause in typing. The value replaces the
 * text only if it was changed elsewhere, such as by the Back button.
 */
export function useTyped(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onChange(typed);
  }, TYPING_MS);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  return { text, setText, send };
}
