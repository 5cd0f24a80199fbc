import { answerInThread } from '../learners/run-in-thread.ts';
import { fitOwnHistory } from './fit-own-history.ts';

answerInThread(fitOwnHistory);
