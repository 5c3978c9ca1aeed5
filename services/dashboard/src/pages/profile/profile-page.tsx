import { useMe } from '../../shell/me.tsx';
import { Card, Page } from '../../ui/page.tsx';
import source from '../source/settings.module.css';
import { TwoFactorCard } from '../two-factor/two-factor-card.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

export function ProfilePage() {
  const me = useMe();
  return (
    <Page title="Password and sessions" lead={`Signed in as ${me.user.email}`}>
      <div className={source.stack}>
        <Card title="Active sessions">
          <Sessions />
        </Card>
        <TwoFactorCard />
        <Card title="Change password">
          <PasswordForm email={me.user.email} />
        </Card>
      </div>
    </Page>
  );
}
