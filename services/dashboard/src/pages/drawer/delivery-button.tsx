import { UnstyledButton } from '@mantine/core';
import classes from './drawer.module.css';

interface DeliveryButtonProps {
  readonly id: string;
  readonly onOpen: (deliveryId: string) => void;
}

/** Opens another delivery in the drawer. */
export function DeliveryButton({ id, onOpen }: DeliveryButtonProps) {
  return (
    <UnstyledButton className={classes.link} onClick={() => onOpen(id)}>
      <code>{id}</code>
    </UnstyledButton>
  );
}
