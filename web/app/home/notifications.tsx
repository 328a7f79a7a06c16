import { useState } from 'react';
import { words } from '../words/en/frame.ts';
import { noticeWords } from '../words/en/home.ts';
import { choose, useCanNotify, useNotificationChoice } from './notification-choice.ts';

/** Turns the browser's notifications on and off. The browser is asked only after a press of the button. */
export function Notifications() {
  const isOn = useNotificationChoice();
  const canNotify = useCanNotify();
  const [isDenied, setDenied] = useState(canNotify && Notification.permission === 'denied');
  async function turnOn() {
    const answer = await Notification.requestPermission();
    setDenied(answer === 'denied');
    choose(answer === 'granted');
  }
  return (
    <section className="card aside spread" aria-labelledby="notifications">
      <div>
        <h2 id="notifications">{words.frame.notifications}</h2>
        <p className="faint">{canNotify ? noticeWords.more : noticeWords.unsupported}</p>
        {canNotify && isDenied && <p className="faint">{noticeWords.denied}</p>}
      </div>
      {canNotify && (isOn || !isDenied) && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => (isOn ? choose(false) : void turnOn())}>
            {isOn ? noticeWords.off : noticeWords.on}
          </button>
        </div>
      )}
    </section>
  );
}
