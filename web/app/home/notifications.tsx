import { useState } from 'react';
import { words } from '../words/words.ts';
import { choose, useCanNotify, useNotificationChoice } from './notification-choice.ts';

const said = words.notices;

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
    <section className="card" aria-labelledby="notifications">
      <h2 id="notifications">{said.title}</h2>
      <p>{canNotify ? said.more : said.unsupported}</p>
      {canNotify && isDenied && <p className="faint">{said.denied}</p>}
      {canNotify && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => (isOn ? choose(false) : void turnOn())}>
            {isOn ? said.off : said.on}
          </button>
        </div>
      )}
    </section>
  );
}
