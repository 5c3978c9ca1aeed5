import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: a reply that is not sent', () => {
  const at = useBrowser();
  const chat = useChat(at);

  it('stays readable when another agent ends the handoff, and can be sent after a new takeover', async () => {
    const id = await chat.apply(chat.request('long', 'I need a person', 'Grace Hopper'));
    const admin = chat.admin();
    const page = await at.open(`/conversations/${id}`, admin);
    await page.getByRole('button', { name: 'Take over' }).click();
    const field = page.getByRole('textbox', { name: 'Reply', exact: true });
    await field.fill('A long answer,\nwith care');
    await callAs(at.stack, admin, 'POST', `/conversations/${id}/end`);
    await page.getByText('Take over to reply').waitFor();
    const unsent = page.getByRole('textbox', { name: 'Your reply is not sent' });
    expect(await unsent.inputValue()).to.equal('A long answer,\nwith care');
    expect(await unsent.isEditable()).to.equal(false);
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('dialog', { name: 'Discard your changes?' }).getByText('Keep editing').click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('A long answer,\nwith care');
    await field.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('A long answer').waitFor();
    expect(await field.inputValue()).to.equal('');
  });
});
