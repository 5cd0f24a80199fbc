import { answerInThread } from '../threads/answer-in-thread.ts';
import { trainRequest } from './train-request.ts';

answerInThread(trainRequest);
