type Post<Message> = (messages: Message[], transfer: ArrayBuffer[]) => void

/** So few, since the other thread has nothing to do before the first arrive. */
const mostTogether = 3

/**
 * Posts some messages of one turn of the event loop together: what a message between threads costs is the crossing
 * more than its content.
 */
export function createMessageBatch<Message>(post: Post<Message>) {
  let messages: Message[] = []
  let transfer: ArrayBuffer[] = []

  function flush(): void {
    if (messages.length === 0) return
    const [sent, moved] = [messages, transfer]
    messages = []
    transfer = []
    post(sent, moved)
  }

  return (message: Message, moved?: ArrayBuffer): void => {
    if (messages.length === 0) setImmediate(flush)
    messages.push(message)
    if (moved) transfer.push(moved)
    if (messages.length === mostTogether) flush()
  }
}
