// What an agent does, in whatever runtime: it tells each step in a line, which says what is to come next.
import { isRestanteError, Mailbox } from 'restante'
import { signWebhook, verifyWebhook, webhookSecret } from 'restante/webhook'

/** Verifies a delivery as it was signed, and refuses one that was changed. */
async function checkWebhook(event: object): Promise<string> {
  const secret = webhookSecret(crypto.getRandomValues(new Uint8Array(24)))
  const body = JSON.stringify(event)
  const headers = await signWebhook([secret], { id: 'evt_1', timestampMs: Date.now(), body })
  const { type } = await verifyWebhook({ secret, headers: { ...headers }, body })
  const refused = await verifyWebhook({ secret, headers: { ...headers }, body: `${body} ` }).catch((error) =>
    isRestanteError(error) ? error.code : String(error),
  )
  return `${type} ${refused}`
}

export async function live(url: string, apiKey: string, tell: (line: string) => void): Promise<void> {
  const mailbox = await Mailbox.open({ url, apiKey })
  tell(`open ${mailbox.state.status} by ${mailbox.state.source}`)
  for await (const message of mailbox.incoming({ consumer: 'elsewhere' })) {
    const { attachments, subject } = message
    const files = await Promise.all(attachments.map((one) => one.text()))
    await message.reply({
      text: 'It is.',
      attachments: [{ filename: 'why.txt', content: new Blob(['Because.']) }],
    })
    tell(`answered ${subject}, with ${files.join()}`)
    break
  }
  const wait = mailbox.waitFor({ subject: 'code', kind: 'code' })
  tell('waiting')
  const found = await wait
  const [first] = await found.codes()
  const prompt = await found.toPrompt()
  tell(`found ${first?.code}, ${prompt.includes('sign in with')}`)
  const summary = { id: 'evt_1', type: 'account.claimed', seq: 1, inbox_id: null }
  tell(await checkWebhook({ ...summary, created_at: new Date().toISOString(), data: {} }))
  await mailbox.close()
  tell(`end ${mailbox.state.status}`)
}
