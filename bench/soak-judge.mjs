/** What was handled, message by message: how often, and when first. */
export function createHandled() {
  const handled = new Map()
  return {
    handled,
    onHandled({ id, threadId, seq, atMs }) {
      const known = handled.get(id)
      if (known) known.times += 1
      else handled.set(id, { threadId, seq, atMs, times: 1 })
    },
  }
}

/** How many were handled before one of their thread that came earlier. */
function countDisordered(handled) {
  const threads = new Map()
  for (const one of handled.values()) threads.set(one.threadId, [...(threads.get(one.threadId) ?? []), one])
  let disordered = 0
  for (const group of threads.values()) {
    group.sort((one, other) => one.seq - other.seq)
    for (let index = 1; index < group.length; index += 1)
      if (group[index].atMs < group[index - 1].atMs) disordered += 1
  }
  return disordered
}

/**
 * Compares what came in with what was handled and what went out.
 *
 * @param ids By message id, the Message-ID of everything that came in.
 * @param inFlight By Message-ID, at how many kills it was on its way.
 */
export function judge({ ids, handled, mails, inFlight }) {
  const answers = new Map()
  for (const { messageId, answers: original } of mails) {
    if (!answers.has(original)) answers.set(original, new Map())
    const times = answers.get(original)
    times.set(messageId, (times.get(messageId) ?? 0) + 1)
  }
  const repeats = [...answers.values()].flatMap((times) => [...times]).filter(([, times]) => times > 1)
  return {
    unhandled: [...ids.keys()].filter((id) => !handled.has(id)),
    unanswered: [...ids.values()].filter((id) => !answers.has(id)),
    answeredTwice: [...answers].filter(([, times]) => times.size > 1),
    repeats,
    // What was on its way at a kill may have been taken there, and none but that may come again.
    unexplained: repeats.filter(([messageId, times]) => times - 1 > (inFlight.get(messageId) ?? 0)),
    disordered: countDisordered(handled),
    twiceHandled: [...handled.values()].filter(({ times }) => times > 1).length,
  }
}

/** Reads a log to its end: everything that came in, and whether its numbers are dense. */
export async function readLog(call) {
  const ids = new Map()
  let dense = true
  for (let after = 0, head = 1; after < head; ) {
    const page = await call(`/events?after=${after}&limit=500`)
    page.events.forEach((event, index) => {
      dense &&= event.seq === page.from + index + 1
      if (event.type === 'message.received') ids.set(event.data.id, event.data.rfc822_message_id)
    })
    after = page.to
    head = page.head
  }
  return { ids, dense }
}

/** Waits until as many were answered as there are, or none was for so long that none will be. */
export async function settle(answered, mails, maxRestMs) {
  for (let count = -1, sinceMs = Date.now(); count < mails && Date.now() - sinceMs < maxRestMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    if (answered() === count) continue
    count = answered()
    sinceMs = Date.now()
  }
}
