// How good a list of found documents is: nDCG@10 with relevant or not, recall@100 and the reciprocal rank of the first.

const gain = (rank) => 1 / Math.log2(rank + 2)

function scoresOf(found, relevant) {
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, rank) => gain(rank))
  const got = found.slice(0, 10).map((id, rank) => (relevant.has(id) ? gain(rank) : 0))
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
  const first = found.findIndex((id) => relevant.has(id))
  return {
    ndcg: sum(got) / sum(ideal),
    recall: found.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

/** The means over all questions; `find` gives the ids of the best documents, the best first. */
export async function rankingOf({ questions }, find) {
  const total = { ndcg: 0, recall: 0, mrr: 0 }
  for (const { text, relevant } of questions) {
    const scores = scoresOf(await find(text), relevant)
    for (const name of Object.keys(total)) total[name] += scores[name] / questions.length
  }
  return total
}
