import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SignedIn } from '@sluice/dashboard-api/session';
import { useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { CodeField } from './code-field.tsx';

/** Returns the token of a sign-in that needs a code; null if the sign-in is complete. */
export function secondStepOf(answer: SignedIn): string | null {
  return 'second_factor' in answer ? answer.second_factor.token : null;
}

interface SecondStepProps {
  readonly token: string;
  readonly onSignedIn: () => Promise<void>;
  /** Goes back to the password. */
  readonly onBack: () => void;
}

/** Asks for the code after the password was accepted. */
export function SecondStep({ token, onSignedIn, onBack }: SecondStepProps) {
  const step = useWrite(ROUTES.session.secondStep);
  return (
    <>
      <Form
        submit="Verify code"
        change={step}
        onSubmit={(text) => step.mutate({ body: { token, code: text('code') } }, { onSuccess: onSignedIn })}
        button={{ fullWidth: true }}
      >
        <CodeField
          autoFocus
          description="Six digits from your authenticator app, or one of your recovery codes."
        />
      </Form>
      <Button variant="subtle" onClick={onBack} fullWidth>
        Back to the password
      </Button>
      <p className="dimmed small">
        Lost your app and your recovery codes? The operator of this installation can reset the second step.
      </p>
    </>
  );
}
