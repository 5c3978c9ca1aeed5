import type { Store } from '@sluice/store/connect';
import type { User } from '@sluice/store/users';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

/** sluice operator list */
export function addOperatorList(parent: Command, context: Context): void {
  const command = parent.command('list').description('who sees the queues of all accounts');

  onStores<CommonOptions>(context, command, async ({ stack, output }) => {
    const { users } = await stack.store();
    await output.rows((await users.listOperators()).map(operatorRow), ['user_id', 'email', 'name']);
  });
}

/** sluice operator grant */
export function addOperatorGrant(parent: Command, context: Context): void {
  const command = parent
    .command('grant')
    .description('make a user an operator, who sees the queues of all accounts')
    .argument('<email>', 'what they sign in with');
  onStores<CommonOptions>(context, command, ({ stack, output }, email = '') =>
    setOperator(stack, output, { email, operator: true }),
  );
}

/** sluice operator revoke */
export function addOperatorRevoke(parent: Command, context: Context): void {
  const command = parent
    .command('revoke')
    .description('make an operator an ordinary user again; it holds from the next request on')
    .argument('<email>', 'what they sign in with');
  onStores<CommonOptions>(context, command, ({ stack, output }, email = '') =>
    setOperator(stack, output, { email, operator: false }),
  );
}

async function setOperator(
  stack: { store(): Promise<Pick<Store, 'users'>> },
  output: { record(row: ReturnType<typeof operatorRow>): void },
  { email, operator }: { readonly email: string; readonly operator: boolean },
): Promise<void> {
  const { users } = await stack.store();
  const user = await users.findUserByEmail(email.trim().toLowerCase());
  if (user === undefined)
    throw failed(`Nobody signs in with ${email}. Who is an operator is listed by: sluice operator list`);
  await users.setOperator(user.user_id, operator);
  output.record(operatorRow({ ...user, operator }));
}

function operatorRow({ user_id, email, name, operator }: User) {
  return { user_id, email, name, operator };
}
