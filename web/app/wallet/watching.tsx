import { useState } from 'react';
import { isAddress } from 'viem';
import { useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words/en/frame.ts';
import { forAddress, useOwner, useWatched } from './use-owner.ts';

/** Says that an address is only looked at. */
export function Watching() {
  const watched = useWatched();
  const { isOwn } = useOwner();
  const [path] = useLocation();
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

/** A field that takes any address, to look at it without its wallet. */
export function WatchForm() {
  const [text, setText] = useState('');
  const [path] = useLocation();
  const address = text.trim();
  const isOne = isAddress(address, { strict: false });
  return (
    <form
      className="watch"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOne) navigate(forAddress(path, address));
      }}
    >
      <label>
        <span>{words.wallet.watchAny}</span>
        <input
          type="text"
          className="mono"
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-invalid={address !== '' && !isOne}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={!isOne}>
        {words.wallet.watch}
      </button>
    </form>
  );
}
