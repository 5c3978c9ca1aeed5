import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { Pipeline } from '@sluice/dashboard-api/pipeline';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs } from './support/source.ts';
import type { Person, Stack } from './support/stack.ts';

const FAILED = { status: 500, json: { code: 'internal_error', detail: 'It did not work.' } };

interface Deletion {
  readonly path: string;
  readonly route: string;
  /** The accessible name of the button that opens the dialog. */
  readonly open: string;
  readonly confirm: string;
  /** The user types it to confirm. */
  readonly name?: string;
}

const DELETIONS: Record<string, (stack: Stack, owner: Person) => Promise<Deletion>> = {
  async 'a source'(stack, owner) {
    const { id, name } = await addSource(stack, owner);
    const confirm = 'Delete source';
    return {
      path: `/events/webhook/${id}/settings`,
      route: `**/sources/${id}/delete`,
      open: confirm,
      confirm,
      name,
    };
  },
  async 'a channel'(stack, owner) {
    const name = 'Slow channel';
    const { channel } = await callAs<ChannelCreated>(stack, owner, 'POST', '/channels', { name });
    const id = channel.channel_id;
    const confirm = 'Delete channel';
    return {
      path: `/settings/channels/${id}/settings`,
      route: `**/channels/${id}/delete`,
      open: confirm,
      confirm,
      name,
    };
  },
  async 'a stage'(stack, owner) {
    const { stages } = await callAs<Pipeline>(stack, owner, 'GET', '/pipeline');
    const { id, name } = stages[0] as Pipeline['stages'][0];
    return {
      path: '/settings/pipeline',
      route: `**/stages/${id}/retire`,
      open: `Retire ${name}`,
      confirm: 'Retire stage',
    };
  },
};

describe('browser: a deletion that takes long', () => {
  const at = useBrowser();

  for (const [what, prepare] of Object.entries(DELETIONS))
    it(`keeps its dialog open until its error is seen: ${what}`, async () => {
      const owner = await at.stack.addPerson('owner');
      const { path, route, open, confirm, name } = await prepare(at.stack, owner);
      const page = await at.open(path, owner);
      let fail = () => {};
      const held = new Promise<void>((resolve) => {
        fail = resolve;
      });
      await page.route(route, async (request) => {
        await held;
        return request.fulfill(FAILED);
      });
      await page.getByRole('button', { name: open, exact: true }).click();
      const dialog = page.getByRole('dialog');
      if (name !== undefined) await dialog.getByRole('textbox').fill(name);
      await dialog.getByRole('button', { name: confirm }).click();
      await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
      await page.keyboard.press('Escape');
      fail();
      await dialog.getByText('It did not work.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });
});
