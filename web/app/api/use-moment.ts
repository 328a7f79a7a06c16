import { useEffect, useState } from 'react';
import { type Moment, thisMoment } from './age.ts';

/** The current moment, updated every second. */
export function useMoment(): Moment {
  const [moment, setMoment] = useState(thisMoment);
  useEffect(() => {
    const timer = setInterval(() => setMoment(thisMoment()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return moment;
}
