import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';

const HELP = `
Workers and APIs do the same when they start. Run it before them where migrations take long, with the services of the
version before still at work: docs/operations.md. Run again it changes nothing.`;

/** sluice migrate */
export function addMigrate(parent: Command, context: Context): void {
  const command = parent
    .command('migrate')
    .description('bring the database to the version of this Sluice')
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output }) => {
    const migrations: string[] = [];
    const store = await stack.store();
    const { status, version } = await store.migrate({
      onMigration: ({ name, version: next }) => {
        migrations.push(name);
        output.note(`to version ${next}: ${name}`);
      },
    });
    output.record({ status, version, migrations });
  });
}
