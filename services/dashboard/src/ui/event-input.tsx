import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { EVENT_FIELDS, type EventField, type FieldDeclaration } from '@sluice/contract/event/event-fields';
import type { ReactNode } from 'react';

interface EventInputProps {
  readonly name: EventField;
  readonly value: string;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly error?: ReactNode;
  /** The event has a value, so there is no choice for none. */
  readonly isSet?: boolean;
}

/** The input of a field of an event. An instant is in ISO 8601. */
export function EventInput({ name, isSet = false, ...input }: EventInputProps) {
  const field: FieldDeclaration = EVENT_FIELDS[name];
  const { label, placeholder } = field;
  switch (field.type) {
    case 'choice': {
      const none = isSet ? [] : [{ value: '', label: field.none }];
      return <NativeSelect label={label} data={[...none, ...field.values]} {...input} />;
    }
    case 'instant':
      return (
        <TextInput
          label={label}
          description="ISO 8601 with an offset"
          classNames={{ input: 'mono' }}
          {...input}
        />
      );
    case 'text':
      if (field.long) return <Textarea label={label} autosize minRows={2} maxRows={8} {...input} />;
      return <TextInput label={label} placeholder={placeholder} {...input} />;
    case 'url':
      return <TextInput label={label} placeholder={placeholder} {...input} />;
  }
}
