import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { textOf } from '../../ui/form.ts';
import { PasswordInput } from '../../ui/password-input.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import source from '../source/settings.module.css';

const TOGGLE = { 'aria-label': 'Show or hide the password', tabIndex: 0 };

export function PasswordForm({ email }: { readonly email: string }) {
  const change = useWrite(ROUTES.session.changePassword, [ROUTES.session.list]);
  const toast = useToast();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    change.mutate(
      { body: { current_password: textOf(form, 'current'), new_password: textOf(form, 'new') } },
      {
        onSuccess: () => {
          element.reset();
          toast('Password changed. All other sessions have ended.');
        },
      },
    );
  };
  const newError = fieldError(change.error, '/new_password');
  return (
    <form className={source.form} onSubmit={onSubmit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        name="current"
        label="Current password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={TOGGLE}
      />
      <PasswordInput
        name="new"
        label="New password"
        description="At least 10 characters. All other sessions end."
        autoComplete="new-password"
        minLength={10}
        required
        withAsterisk={false}
        visibilityToggleButtonProps={TOGGLE}
        error={newError}
      />
      {change.error !== null && newError === undefined && <ErrorNote error={change.error} />}
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
