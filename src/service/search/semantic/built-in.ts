import type { Kysely } from 'kysely'
import type { Embedder, Embedding } from '../../ports'
import type { Database } from '../../store/tables'
import { minLearned } from '../lsa'
import { builtIn, knowledgeOf, type Learned, type MailScope, type SearchModel } from './models'
import { extentOf, type Sample, sampledTexts, wholeShare } from './texts'
import type { Threads } from './threads'

/** More mail makes a model little better, and learning takes the longer. */
const maxSample = 6_000

/** Gives the thread the texts of a sample; the name under which it has them. */
async function collect(
  db: Kysely<Database>,
  threads: Threads,
  mail: MailScope,
  sample: Sample,
): Promise<string> {
  const session = `${mail.tenant_id} ${mail.inbox_id} ${sample.learned_seq}`
  for await (const texts of sampledTexts(db, mail, sample))
    await threads.background('collect', { session, texts })
  return session
}

/** Learns from mail; null where there is too little. */
export async function learnFromMail(
  db: Kysely<Database>,
  threads: Threads,
  mail: MailScope,
): Promise<Learned | null> {
  const { count, lastSeq } = await extentOf(db, mail)
  if (count < minLearned) return null
  const learned_share = Math.min(wholeShare, Math.ceil((wholeShare * maxSample) / count))
  const sample = { learned_seq: lastSeq, learned_share }
  const session = await collect(db, threads, mail, sample)
  const knowledge = await threads.background('learn', { session })
  return knowledge && { ...sample, learned: count, knowledge }
}

/** Gives a model without the words that only mail had that is gone; null where too little is left. */
export async function forgetGone(
  db: Kysely<Database>,
  threads: Threads,
  model: SearchModel,
): Promise<Uint8Array | null> {
  const session = await collect(db, threads, model, model)
  return threads.background('prune', { session, knowledge: await knowledgeOf(db, model) })
}

/** The mail has become so much that what was learned from the beginning of it says little of the rest. */
export const isOutgrown = async (db: Kysely<Database>, { learned, ...mail }: SearchModel): Promise<boolean> =>
  (await extentOf(db, mail)).count >= learned * (learned < maxSample ? 1.5 : 2)

/** The embedder that has learned from the mail of an account. */
export function createBuiltIn(db: Kysely<Database>, threads: Threads, model: SearchModel): Embedder {
  const knowledge = `${model.id} ${model.revision}`
  return {
    id: builtIn,
    async embed(texts, kind) {
      const thread = kind === 'query' ? threads.search : threads.background
      const answer =
        (await thread('embed', { knowledge, bytes: null, texts })) ??
        (await thread('embed', { knowledge, bytes: await knowledgeOf(db, model), texts }))
      const { vectors, confidences } = answer!
      const dimensions = vectors.length / texts.length
      return texts.map(
        (_, i): Embedding => ({
          vector: vectors.subarray(i * dimensions, (i + 1) * dimensions),
          confidence: confidences[i]!,
        }),
      )
    },
  }
}
