import { Component, type ReactNode } from 'react';
import { words } from '../words/en/frame.ts';
import { Notice } from './notice.tsx';

interface Props {
  /** Name of its content: "This section". */
  readonly what: string;
  readonly children: ReactNode;
  /** Called before its content is shown again. */
  readonly onRetry?: () => Promise<void>;
}

/**
 * Contains an error so that one broken part of the page does not take down the others. A new key or its button resets
 * it.
 */
export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  async #retry() {
    // What fails again is shown as broken again.
    await this.props.onRetry?.().catch(() => undefined);
    this.setState({ isBroken: false });
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Notice kind="bad" title={words.frame.cannotShow(this.props.what)}>
        <p>{words.frame.cannotShowMore}</p>
        <button type="button" className="button" onClick={() => void this.#retry()}>
          {words.frame.showAgain}
        </button>
      </Notice>
    );
  }
}
