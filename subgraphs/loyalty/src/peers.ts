import { questionsIn } from '@loyalty/platform/base/questions';
import type { Questions } from '#generated/peers';

/** The questions of this subgraph to others. */
export const questions = questionsIn<Questions>(import.meta.dirname);
