type Post<Message> = (messages: Message[], transfer: ArrayBuffer[]) => void

/**
 * Posts the messages of one turn of the event loop together: what a message between threads costs is the crossing
 * more than its content.
 */
export function createMessageBatch<Message>(post: Post<Message>) {
  let messages: Message[] = []
  let transfer: ArrayBuffer[] = []

  function flush(): void {
    const [sent, moved] = [messages, transfer]
    messages = []
    transfer = []
    post(sent, moved)
  }

  return (message: Message, moved?: ArrayBuffer): void => {
    if (messages.length === 0) setImmediate(flush)
    messages.push(message)
    if (moved) transfer.push(moved)
  }
}
