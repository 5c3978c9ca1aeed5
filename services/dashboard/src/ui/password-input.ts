import '@mantine/core/styles/PasswordInput.css';

/** Mantine's, with its styles: few pages need them. */
export { PasswordInput } from '@mantine/core';
