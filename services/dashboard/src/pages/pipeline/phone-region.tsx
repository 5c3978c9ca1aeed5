import { NativeSelect } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import classes from './pipeline.module.css';
import { regionOptions } from './region-options.ts';

interface PhoneRegionProps {
  readonly region: string | null;
  readonly mayChange: boolean;
}

/** The country whose phone numbers are written without a prefix. */
export function PhoneRegion({ region, mayChange }: PhoneRegionProps) {
  const save = useWrite(ROUTES.pipeline.setPhoneRegion, [ROUTES.pipeline.show]);
  const toast = useToast();
  const change = (value: string) =>
    save.mutate(
      { body: { phone_region: value === '' ? null : value } },
      { onSuccess: () => toast('Country saved. It applies to numbers that are written from now on.') },
    );
  return (
    <div className={classes.region}>
      <NativeSelect
        label="Country of numbers without a prefix"
        description="With Germany, 030 901820 is read as +49 30 901820. Numbers that begin with + need no country."
        data={[{ value: '', label: 'No country' }, ...regionOptions()]}
        value={save.isPending ? (save.variables.body.phone_region ?? '') : (region ?? '')}
        disabled={!mayChange || save.isPending}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {save.error !== null && <ErrorNote error={save.error} />}
    </div>
  );
}
