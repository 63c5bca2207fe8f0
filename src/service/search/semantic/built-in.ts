import type { Kysely } from 'kysely'
import type { Embedder, Embedding } from '../../ports'
import type { Database } from '../../store/tables'
import { minLearned } from '../lsa'
import { builtIn, knowledgeOf, type Learned, type MailScope, type SearchModel } from './models'
import { extentOf, type Sample, sampledTexts, wholeShare } from './texts'
import type { Threads } from './threads'

/** Maximum sample: more messages improve a model little, and learning takes longer. */
const maxSample = 6_000

/** Sends the texts of a sample to the thread, and returns their session name. */
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

/** Learns from messages; null if there are too few. */
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

/** Returns a model without words of only deleted messages; null if too little is left. */
export async function forgetGone(
  db: Kysely<Database>,
  threads: Threads,
  model: SearchModel,
): Promise<Uint8Array | null> {
  const session = await collect(db, threads, model, model)
  return threads.background('prune', { session, knowledge: await knowledgeOf(db, model) })
}

/** Checks whether messages have grown beyond what the model represents. */
export const isOutgrown = async (db: Kysely<Database>, { learned, ...mail }: SearchModel): Promise<boolean> =>
  (await extentOf(db, mail)).count >= learned * (learned < maxSample ? 1.5 : 2)

/** Returns the embedder with a model learned from the account's messages. */
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
