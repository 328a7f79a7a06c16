import { words } from '../words/words.ts';
import { Talk } from './talk.tsx';

/** The conversation as a section of its own. */
export const Ask = () => (
  <>
    <div className="title-row">
      <div>
        <h1>{words.ask.title}</h1>
        <p className="lead">{words.ask.lead}</p>
      </div>
    </div>
    <Talk />
  </>
);
