/** Answers of operations, reduced to the parts that a key may see. */

export { AnswerWith } from './answer-with'
export { narrowAnswer, narrowRefusal } from './narrow'
