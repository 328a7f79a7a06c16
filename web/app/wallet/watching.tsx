import { useState } from 'react';
import { useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words/en/frame.ts';
import { addressIn, forAddress, useAsked, useOwner, useWatched, whyNoAddress } from './use-owner.ts';

/** Says that an address is only viewed, or that a link names no valid address. */
export function Watching() {
  const asked = useAsked();
  const watched = useWatched();
  const { isOwn } = useOwner();
  const [path] = useLocation();
  if (asked !== undefined && watched === undefined) {
    return (
      <Notice kind="bad" title={words.wallet.notWatching}>
        <p className="mono full">{asked}</p>
        <p>{whyNoAddress(asked)}</p>
      </Notice>
    );
  }
  if (watched === undefined || isOwn) return null;
  return (
    <Notice kind="plain" title={words.wallet.watching}>
      <p className="mono full">{watched}</p>
      <p>{words.wallet.watchingMore}</p>
      <button type="button" className="button quiet" onClick={() => navigate(path)}>
        {words.wallet.stopWatching}
      </button>
    </Notice>
  );
}

/** A field for any address, to watch it without its wallet. */
export function WatchForm() {
  const [text, setText] = useState('');
  const [path] = useLocation();
  const address = addressIn(text);
  return (
    <form
      className="stack small"
      onSubmit={(event) => {
        event.preventDefault();
        if (address !== undefined) navigate(forAddress(path, address));
      }}
    >
      <Field
        label={words.wallet.watchAny}
        value={text}
        onChange={setText}
        inputMode="text"
        error={address === undefined ? whyNoAddress(text) : undefined}
      />
      <button type="submit" className="button" disabled={address === undefined}>
        {words.wallet.watch}
      </button>
    </form>
  );
}
