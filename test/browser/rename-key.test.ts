import { expect } from 'chai';
import { serious } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addKey } from './support/keys.ts';

describe('browser: renaming an API key', () => {
  const at = useBrowser();

  for (const [width, scheme] of [
    [1440, 'light'],
    [360, 'dark'],
  ] as const)
    it(`keeps its actions on one line: ${width} px, ${scheme}`, async () => {
      const owner = await at.stack.addPerson('owner');
      const name = `Zapier ${width}`;
      await addKey(at.stack, owner, name);
      const page = await at.open('/settings/api-keys', owner, { width, scheme });
      const row = page.getByRole('row').filter({ hasText: name });
      const actions = ['Rename', 'Rotate', 'Revoke'].map((verb) =>
        row.getByRole('button', { name: `${verb} ${name}`, exact: true }),
      );
      await actions[0]?.waitFor();
      const tops = await Promise.all(actions.map(async (one) => (await one.boundingBox())?.y));
      expect(new Set(tops).size, `one line: ${tops}`).to.equal(1);
      await actions[0]?.click();
      const dialog = page.getByRole('dialog', { name: `Rename “${name}”` });
      expect(await serious(page), 'the dialog').to.deep.equal([]);
      await dialog.getByLabel('Name').fill(`Make ${width}`);
      await dialog.getByRole('button', { name: 'Rename key' }).click();
      await page.getByText(`Renamed to “Make ${width}”.`).waitFor();
      await page.getByRole('button', { name: `Rename Make ${width}` }).waitFor();
    });
});
