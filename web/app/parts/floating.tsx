import { Popover } from '@base-ui/react/popover';
import { Tooltip } from '@base-ui/react/tooltip';
import { type ReactNode, type RefObject, useRef } from 'react';
import { termWords } from '../words/en/terms.ts';

interface Props {
  readonly id: string;
  /** The anchor: the element around its button, which also contains it, so that Tab moves from one to the other. */
  readonly place: RefObject<HTMLElement | null>;
  readonly close: () => void;
}

/** The parts of the element and of events that are used; tests without browser types also read this file. */
interface Place {
  contains(node: unknown): boolean;
  querySelector(selector: 'button'): HTMLElement | null;
}
interface Left {
  readonly target: unknown;
  readonly relatedTarget?: unknown;
}

/** Placed on whichever side of its anchor has room; overflowing content scrolls. */
const beside = (place: Props['place']) => ({
  anchor: place,
  className: 'floating',
  sideOffset: 8,
  collisionPadding: 12,
  collisionAvoidance: { fallbackAxisSide: 'none' } as const,
});

export function FloatingMenu({ id, place, close, children }: Props & { readonly children: ReactNode }) {
  const popup = useRef<HTMLDivElement>(null);
  const around = () => place.current as unknown as Place | null;
  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason, event }) => {
        const { target, relatedTarget } = event as unknown as Left;
        // The button itself opens and closes it.
        const isOwn = around()?.contains(reason === 'focus-out' ? relatedTarget : target);
        if (reason === 'escape-key' || !isOwn) close();
      }}
    >
      <Popover.Portal container={place}>
        <Popover.Positioner {...beside(place)} align="end">
          <Popover.Popup
            id={id}
            ref={popup}
            className="box menu-body"
            aria-labelledby={`${id}-button`}
            // Not its first entry: the page would scroll to it before the popup is positioned.
            initialFocus={popup}
            finalFocus={() => around()?.querySelector('button') ?? true}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The meaning of a term. The sentences are loaded with this code, because most are never opened. */
export const FloatingTip = ({ id, place, close, term }: Props & { readonly term: string }) => (
  <Tooltip.Root open onOpenChange={close}>
    <Tooltip.Portal container={place}>
      <Tooltip.Positioner {...beside(place)}>
        <Tooltip.Popup id={id} className="box tip" role="tooltip">
          {termWords[term]}
        </Tooltip.Popup>
      </Tooltip.Positioner>
    </Tooltip.Portal>
  </Tooltip.Root>
);
