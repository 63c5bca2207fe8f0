const runs =
  /[A-Za-z\d]+|\p{Nd}+|[ \t]+|[\r\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{M}]+|(.)\1*/gsu
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A low estimate costs a refused call, a high one only some space. */
const margin = 1.1
const caseChanges = /[a-z][A-Z]|[A-Z]{2}[a-z]/g

/** Estimates the tokens of a run of characters of one kind. */
function costOf(run: string): number {
  const code = run.charCodeAt(0)
  if (/[A-Za-z]/.test(run) && /\d/.test(run)) return Math.max(1, run.length / 2)
  if (/^[A-Za-z]/.test(run)) {
    const parts = 1 + (run.match(caseChanges)?.length ?? 0)
    const shouted = run.length > 2 && run === run.toUpperCase() ? run.length / 4 : 0
    return Math.max(parts, shouted, run.length <= 8 ? 1 : run.length / 5)
  }
  if (/^\p{Nd}/u.test(run)) return Math.ceil(run.length / 3)
  if (run === ' ') return 0.02
  if (/^\s/.test(run)) return Math.max(1, run.length / 16)
  if (cjk.test(run)) return run.length
  if (/^[\p{L}\p{M}]/u.test(run)) return Math.max(1, run.length * (code < 0x590 ? 0.45 : 0.7))
  if (code < 0x80) return Math.max(1, run.length / 8)
  return run.length * 1.5
}

/**
 * Estimates the tokens of a text for a language model, without a tokenizer, in linear time. The estimate is a
 * little too high. Against GPT's `o200k_base`, on 250 messages of other people's programs, the sum was 1.1
 * times the count. Nine of ten messages were between 1.0 and 1.4 times.
 *
 * Outside that range: base64, hexadecimal and long links (0.6 to 0.9), rules of dashes (2 and more), and
 * scripts other than Latin (1.0 to 2.2). Older tokenizers (`cl100k_base`) count more for those: 0.5 for
 * Greek, 0.7 for Hebrew and Hindi.
 */
export function estimateTokens(text: string): number {
  let sum = 0
  for (const [run] of text.matchAll(runs)) sum += costOf(run)
  return Math.ceil(sum * margin)
}

/**
 * Returns the largest length up to `max` within `budget`, or one that uses 63/64 of it: an exact search would
 * need many more counts of a long text. Null if even 0 costs more.
 */
export function largest(max: number, budget: number, costOf: (length: number) => number): number | null {
  let [low, high] = [0, max]
  let [lowCost, highCost] = [costOf(0), costOf(max)]
  if (highCost <= budget) return max
  if (lowCost > budget) return null
  const enough = budget - budget / 64
  for (let round = 1; high - low > 1 && lowCost < enough; round++) {
    // The cost is usually spread evenly; halving every third round bounds the rounds for other texts.
    const share = round % 3 === 0 ? 0.5 : ((budget + enough) / 2 - lowCost) / (highCost - lowCost)
    const step = Math.floor((high - low) * Math.min(7 / 8, Math.max(1 / 8, share)))
    const middle = low + Math.max(1, step)
    const cost = costOf(middle)
    if (cost <= budget) [low, lowCost] = [middle, cost]
    else [high, highCost] = [middle, cost]
  }
  return low
}
