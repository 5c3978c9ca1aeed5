import { Button, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded, Note } from '../../ui/states.tsx';
import { Gate } from '../signed-out-frame/signed-out-frame.tsx';

/** Recovers a forgotten password by a mailed link, or through the operator. */
export function ForgotPage() {
  const options = useRead(ROUTES.recovery.options, {});
  return (
    <Gate title="Forgot your password?">
      <Loaded query={options}>
        {({ password_recovery }) => (password_recovery === 'mail' ? <AskForMail /> : <AskOperator />)}
      </Loaded>
      <Button component={Link} to="/sign-in" variant="subtle" fullWidth>
        Back to sign in
      </Button>
    </Gate>
  );
}

function AskForMail() {
  const forgot = useWrite(ROUTES.recovery.forgot);
  if (forgot.isSuccess)
    return (
      <div role="status">
        <Note tone="info">
          If this address has an account here, a link is on its way to it. The link works once, for 30
          minutes. Check the spam folder if nothing arrives.
        </Note>
      </div>
    );
  return (
    <Form
      submit="Send link"
      change={forgot}
      shown={['/email']}
      onSubmit={(text) => forgot.mutate({ body: { email: text('email') } })}
      button={{ fullWidth: true }}
    >
      <TextInput
        name="email"
        type="email"
        label="Email"
        description="You get a link that sets a new password."
        autoComplete="username"
        required
        autoFocus
        error={fieldError(forgot.error, '/email')}
      />
    </Form>
  );
}

function AskOperator() {
  return (
    <div className="stack-small">
      <p>
        This installation sends no mail. Ask its operator for a link that sets a new password. On the server,
        this command prints one:
      </p>
      <CodeBlock code="sluice owner-link --reset EMAIL" what="command" title="For the operator" wrap />
    </div>
  );
}
