import { namesOfWords } from '../texts.ts';

const asks =
  /\b(?:wh?at|wtf|whats|how (?:do|does|is)|explain(?:ed)?|define|definition|mean(?:s|ing|t)?|understand)\b|什么|解释|啥|意思|何为|代表|怎么算|怎么计算|含义/;
/** What a question may have around the word that it asks about. */
const around = new RegExp(
  "\\b(?:hi|hello|hey|please|so|and|ok|sorry|(?:can|could) (?:you|i)|tell me|explain(?:ed)?|to me|i(?: am|'m) new(?: here| to this)?|" +
    "i (?:do not|don'?t) (?:get|know|understand)|do you know|in (?:simple|plain|easy) (?:words|terms|english)|(?:wh?at|wtf)(?:'?s)?|is|are|does|do|how|" +
    'why is it called|define|definition(?: of)?|the|an?|your?|this|that|it|words?|term|meaning(?: of)?|means?|meant by|signify|stands? for|' +
    'works?|made|calculated|computed|here|exactly|for|about|by|with|when|if|says?|of a loan|in (?:a plan|bowline|this context)|of a plan|on bowline|' +
    "like (?:i am|i'm) \\w+)\\b|[\"'“”「」?.,:!？。，]|请问|请|解释一下|解释|什么是|什么叫|何为|是什么意思|是啥意思|啥意思|什么意思|是什么|代表什么|是指什么|" +
    '是啥|是怎么算的|怎么算|怎么计算|指什么|的意思|的含义|这个词|这个概念|呢',
  'g',
);

/** The word whose meaning a question in lower case asks for, and nothing else. */
export function meaningOf(text: string): string | undefined {
  const word = text.replace(around, ' ').replace(/\s+/g, ' ').trim();
  return asks.test(text) ? namesOfWords.find(([, names]) => names.test(word))?.[0] : undefined;
}
