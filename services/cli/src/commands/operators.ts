import type { User } from '@sluice/store/users/users';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

/** sluice operator list */
export function addOperatorList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the users who may see how many messages of all accounts wait');

  onStores<CommonOptions>(context, command, async ({ stack, output }) => {
    const { users } = await stack.store();
    await output.rows((await users.listOperators()).map(operatorRow), ['user_id', 'email', 'name']);
  });
}

/** sluice operator grant */
export const addOperatorGrant = setting(
  'grant',
  'make a user an operator, who may see how many messages of all accounts wait',
  true,
);

/** sluice operator revoke */
export const addOperatorRevoke = setting(
  'revoke',
  'make an operator an ordinary user again, effective from the next request',
  false,
);

function setting(name: string, help: string, operator: boolean) {
  return (parent: Command, context: Context): void => {
    const command = parent.command(name).description(help).argument('<email>', 'email address of the user');
    onStores<CommonOptions>(context, command, async ({ stack, output }, email = '') => {
      const { users } = await stack.store();
      const user = await users.findUserByEmail(email.trim().toLowerCase());
      if (user === undefined)
        throw failed(`There is no user with the email address ${email}. See: sluice operator list`);
      await users.setOperator(user.user_id, operator);
      output.record(operatorRow({ ...user, operator }));
    });
  };
}

function operatorRow({ user_id, email, name, operator }: User) {
  return { user_id, email, name, operator };
}
