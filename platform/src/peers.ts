import type { Questions } from '#generated/peers';
import { questionsIn } from './base/questions.ts';

/** Questions of the platform itself to subgraphs. */
export const questions = questionsIn<Questions>(import.meta.dirname);
