import { Component, type ReactNode, useEffect } from 'react';
import { words } from '../words/en/frame.ts';
import { NotLoaded, untilLoaded } from './lazy-part.tsx';
import { Notice } from './notice.tsx';

interface Props {
  /** Name of its content: "This section". */
  readonly what: string;
  readonly children: ReactNode;
}

interface State {
  readonly isBroken: boolean;
  /** The code that did not load, if that is the error. */
  readonly missing: NotLoaded | undefined;
}

const whole: State = { isBroken: false, missing: undefined };

/**
 * Contains an error so that one broken part of the page does not take down the others. A new key, its button or the
 * loading of missing code resets it.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state = whole;

  static getDerivedStateFromError(error: unknown): State {
    return { isBroken: true, missing: error instanceof NotLoaded ? error : undefined };
  }

  readonly #reset = () => this.setState(whole);

  async #retry() {
    // If it fails again, it is shown as broken again.
    await this.state.missing?.load().catch(() => undefined);
    this.#reset();
  }

  override render() {
    const { isBroken, missing } = this.state;
    if (!isBroken) return this.props.children;
    return (
      <Notice
        kind="bad"
        title={words.frame.cannotShow(this.props.what)}
        more={missing ? words.frame.notLoadedMore : words.frame.cannotShowMore}
      >
        {missing && <Awaited missing={missing} then={this.#reset} />}
        <button type="button" className="button" onClick={() => void this.#retry()}>
          {words.frame.showAgain}
        </button>
      </Notice>
    );
  }
}

/** Loads missing code as soon as it is available. */
function Awaited({ missing, then }: { readonly missing: NotLoaded; readonly then: () => void }) {
  useEffect(() => untilLoaded(missing.load, then), [missing, then]);
  return null;
}
