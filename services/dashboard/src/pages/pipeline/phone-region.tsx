import { Button, NativeSelect } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import classes from './pipeline.module.css';
import { regionOptions } from './region-options.ts';

interface PhoneRegionProps {
  readonly region: string | null;
  readonly mayChange: boolean;
}

/**
 * The country whose phone numbers are written without a prefix. A button saves it, because the arrow keys choose each country on the way
 * to another one.
 */
export function PhoneRegion({ region, mayChange }: PhoneRegionProps) {
  const save = useWrite(ROUTES.pipeline.setPhoneRegion, [ROUTES.pipeline.show]);
  const toast = useToast();
  const [draft, setDraft] = useState<string | null>(null);
  const stored = region ?? '';
  const chosen = draft ?? stored;
  const isDirty = chosen !== stored;
  useUnsaved(isDirty);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { body: { phone_region: chosen === '' ? null : chosen } },
      {
        onSuccess: () => {
          setDraft((now) => (now === draft ? null : now));
          toast('Country saved. It applies to numbers that are written from now on.');
        },
      },
    );
  };
  return (
    <form className={classes.region} onSubmit={onSubmit}>
      <NativeSelect
        label="Country of numbers without a prefix"
        description="With Germany, 030 901820 is read as +49 30 901820. Numbers that begin with + need no country."
        data={[{ value: '', label: 'No country' }, ...regionOptions()]}
        value={chosen}
        disabled={!mayChange}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {isDirty && (
        <div>
          <Button type="submit" loading={save.isPending}>
            Save country
          </Button>
        </div>
      )}
      {save.error !== null && <ErrorNote error={save.error} />}
    </form>
  );
}
