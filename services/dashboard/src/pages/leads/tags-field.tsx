import { TextInput } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../../ui/icons.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import classes from './leads.module.css';

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  readonly error: string | undefined;
}

const MAX_TAGS = 20;

/** Edits tags. Enter or a comma adds one, so do leaving the field and submitting its form; Backspace in the empty field removes the last. */
export function TagsField({ tags, onChange, error }: TagsFieldProps) {
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  const add = (typed: string) => {
    const added = typed.split(',').map((tag) => tag.trim());
    setText('');
    const next = [...new Set([...tags, ...added])].filter((tag) => tag !== '').slice(0, MAX_TAGS);
    if (next.length > tags.length) onChange(next);
  };
  const field = useRef<HTMLInputElement>(null);
  const onSubmit = useEffectEvent(({ target }: Event) => {
    if (target === field.current?.form && text.trim() !== '') flushSync(() => add(text));
  });
  useEffect(() => {
    const beforeTheForm = (event: Event) => onSubmit(event);
    window.addEventListener('submit', beforeTheForm, { capture: true });
    return () => window.removeEventListener('submit', beforeTheForm, { capture: true });
  }, []);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    const isOfForm = relatedTarget instanceof HTMLButtonElement && relatedTarget.form === field.current?.form;
    // The tag would move such a button away under the mouse, so that nothing is clicked.
    if (!isOfForm) add(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <div className={classes.tagsField}>
      <TextInput
        ref={field}
        label="Tags"
        description="Press Enter after each tag."
        maxLength={50}
        disabled={tags.length >= MAX_TAGS && text === ''}
        value={text}
        onChange={({ currentTarget: { value } }) => (value.endsWith(',') ? add(value) : setText(value))}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        error={error}
      />
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags of this lead">
          {tags.map((tag) => (
            <li key={tag} className={classes.tag}>
              {tag}
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove tag ${tag}`}
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              >
                <Icon name="cross" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
