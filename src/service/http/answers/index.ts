/** Answers of operations, and what of them a key may see. */

export { AnswerWith } from './answer-with'
export { narrowAnswer, narrowRefusal } from './narrow'
