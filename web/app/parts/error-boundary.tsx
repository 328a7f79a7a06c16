import { Component, type ReactNode } from 'react';
import { Notice } from './notice.tsx';

/** Keeps a section that breaks from taking the frame with it. A new key begins anew. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Notice kind="bad" title="This section cannot be shown">
        <p>
          The page has an error here. A transaction that you have already signed is not undone by it: see your wallet.
        </p>
      </Notice>
    );
  }
}
