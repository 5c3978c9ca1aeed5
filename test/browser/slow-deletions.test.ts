import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { Pipeline } from '@sluice/dashboard-api/pipeline';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs } from './support/source.ts';

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

describe('browser: a deletion that takes long', () => {
  const at = useBrowser();

  it('keeps its dialog open until its error is seen: of a source, a channel and a stage', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const name = 'Slow channel';
    const { channel } = await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name });
    const { stages } = await callAs<Pipeline>(at.stack, owner, 'GET', '/pipeline');
    const stage = stages[0] as Pipeline['stages'][0];
    const deletions: readonly Deletion[] = [
      {
        path: `/events/webhook/${source.id}/settings`,
        route: `**/sources/${source.id}/delete`,
        open: 'Delete source',
        confirm: 'Delete source',
        name: source.name,
      },
      {
        path: `/settings/channels/${channel.channel_id}/settings`,
        route: `**/channels/${channel.channel_id}/delete`,
        open: 'Delete channel',
        confirm: 'Delete channel',
        name,
      },
      {
        path: '/settings/pipeline',
        route: `**/stages/${stage.id}/retire`,
        open: `Retire ${stage.name}`,
        confirm: 'Retire stage',
      },
    ];
    const page = await at.open('/', owner);
    for (const deletion of deletions) {
      let fail = () => {};
      const held = new Promise<void>((resolve) => {
        fail = resolve;
      });
      await page.route(deletion.route, async (request) => {
        await held;
        return request.fulfill(FAILED);
      });
      await page.goto(at.stack.url + deletion.path);
      await page.getByRole('button', { name: deletion.open, exact: true }).click();
      const dialog = page.getByRole('dialog');
      if (deletion.name !== undefined) await dialog.getByRole('textbox').fill(deletion.name);
      await dialog.getByRole('button', { name: deletion.confirm }).click();
      await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
      await page.keyboard.press('Escape');
      fail();
      await dialog.getByText('It did not work.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});
