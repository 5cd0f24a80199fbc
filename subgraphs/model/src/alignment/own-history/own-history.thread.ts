import { answerInThread } from '../../training/threads/answer-in-thread.ts';
import { fitOwnHistory } from './fit-own-history.ts';

answerInThread(fitOwnHistory);
