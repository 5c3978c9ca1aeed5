import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { textOf } from '../../ui/form.ts';
import { ErrorNote } from '../../ui/states.tsx';
import classes from '../import-parts/import.module.css';

interface FeedFieldProps {
  readonly pending: boolean;
  readonly error: unknown;
  readonly onUrl: (url: string) => void;
}

/** Takes the URL of a calendar feed instead of a file. */
export function FeedField({ pending, error, onUrl }: FeedFieldProps) {
  const urlError = fieldError(error, '/url');
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onUrl(textOf(new FormData(event.currentTarget), 'url'));
  };
  return (
    <form className={classes.stack} onSubmit={onSubmit}>
      <div className={classes.feed}>
        <TextInput
          name="url"
          className={classes.url}
          label="Or an iCalendar feed URL"
          description="Fetched once, now. Later changes to the feed are not imported."
          placeholder="https://example.com/calendar.ics"
          required
          withAsterisk={false}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          error={urlError}
        />
        <Button type="submit" variant="default" loading={pending}>
          Read the feed
        </Button>
      </div>
      {error !== null && urlError === undefined && <ErrorNote error={error} />}
    </form>
  );
}
