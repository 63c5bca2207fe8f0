/** Marks, and the half-width letters that become marks. */
const manyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Normalizes a text (UAX #15). Keeps 30 marks of one letter, as the Stream-Safe Text Format does: sorting more
 * of them takes the square of their number.
 */
export const normalized = (text: string, form: 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(manyMarks, '$1').normalize(form)
