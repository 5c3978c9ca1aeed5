import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { Empty } from './states.tsx';

interface CrashBoundaryProps {
  readonly children: ReactNode;
  /** A new place clears the error. */
  readonly place?: string;
}

/** Catches the error of a page, such as a chunk that is gone after an upgrade. */
export class CrashBoundary extends Component<CrashBoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: CrashBoundaryProps) {
    if (before.place !== this.props.place && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Empty
        icon="warning"
        title="This page could not be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        {messageOf(this.state.error)}
      </Empty>
    );
  }
}
