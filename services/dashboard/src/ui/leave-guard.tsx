import { type BlockerFunction, useBlocker } from 'react-router';
import { AskToDiscard } from './modal.tsx';
import { losesUnsaved } from './unsaved.ts';

const isAsked: BlockerFunction = ({ currentLocation, nextLocation }) =>
  losesUnsaved(currentLocation, nextLocation);

/** Asks before a link, a shortcut or the Back button loses a form that is not saved. */
export function LeaveGuard() {
  const blocker = useBlocker(isAsked);
  return (
    <AskToDiscard
      opened={blocker.state === 'blocked'}
      onDiscard={() => blocker.proceed?.()}
      onKeep={() => blocker.reset?.()}
    />
  );
}
