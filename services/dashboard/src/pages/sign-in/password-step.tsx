import { TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { secondStepOf } from '../two-factor/second-step.tsx';

interface PasswordStepProps {
  /** The only email that may sign in, if the session of a user has ended. */
  readonly email?: string;
  readonly onSecondStep: (token: string) => void;
  readonly onSignedIn: () => Promise<void>;
}

/** Asks for email and password. */
export function PasswordStep({ email, onSecondStep, onSignedIn }: PasswordStepProps) {
  const signIn = useWrite(ROUTES.session.signIn);
  const onSubmit = (text: (name: string) => string) => {
    const body = { email: text('email'), password: text('password') };
    signIn.mutate(
      { body },
      {
        onSuccess: async (answer) => {
          const second = secondStepOf(answer);
          if (second !== null) return onSecondStep(second);
          await onSignedIn();
        },
      },
    );
  };
  return (
    <Form
      submit="Sign in"
      change={signIn}
      shown={['/email']}
      onSubmit={onSubmit}
      button={{ fullWidth: true }}
    >
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        required
        {...(email === undefined ? { autoFocus: true } : { value: email, readOnly: true })}
        error={fieldError(signIn.error, '/email')}
      />
      <PasswordField label="Password" data-autofocus={email !== undefined || undefined} />
    </Form>
  );
}
