import { TextInput } from '@mantine/core';
import { Icon } from './icons.tsx';
import { useTyped } from './use-typed.ts';

interface SearchFieldProps {
  readonly className: string | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The field that `/` focuses. It waits for a pause in typing before it calls `onChange`. */
export function SearchField({ className, label, placeholder, value, onChange }: SearchFieldProps) {
  const { text, setText, send } = useTyped(value, onChange);
  return (
    <TextInput
      className={className}
      data-filter
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}
